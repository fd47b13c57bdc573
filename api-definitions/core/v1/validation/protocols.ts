/** Protocols of ports, in the order in which messages list them. */
export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];
