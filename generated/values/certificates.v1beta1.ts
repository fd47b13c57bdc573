// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of certificates/v1beta1.KeyUsage. */
export const KeyUsage: readonly string[] = ["signing", "digital signature", "content commitment", "key encipherment", "key agreement", "data encipherment", "cert sign", "crl sign", "encipher only", "decipher only", "any", "server auth", "client auth", "code signing", "email protection", "s/mime", "ipsec end system", "ipsec tunnel", "ipsec user", "timestamping", "ocsp signing", "microsoft sgc", "netscape sgc"];

/** The well-known values of certificates/v1beta1.RequestConditionType. */
export const RequestConditionType: readonly string[] = ["Approved", "Denied", "Failed"];
