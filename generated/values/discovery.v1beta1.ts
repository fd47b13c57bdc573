// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of discovery/v1beta1.AddressType. */
export const AddressType: readonly string[] = ["IPv4", "IPv6", "FQDN"];
