// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of discovery/v1.AddressType. */
export const AddressType: readonly string[] = ["IPv4", "IPv6", "FQDN"];
