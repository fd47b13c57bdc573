// Imported as a module, its exports would have to be there: Node 23.6 cannot read the certificates of the system.
const { getCACertificates, rootCertificates } = process.getBuiltinModule("node:tls") as Partial<
  Pick<typeof import("node:tls"), "getCACertificates">
> &
  Pick<typeof import("node:tls"), "rootCertificates">;

/** PEM of the authorities that the system trusts; those that Node brings along where it cannot read them. */
export const systemAuthorities = (): readonly string[] => getCACertificates?.("system") ?? rootCertificates;
