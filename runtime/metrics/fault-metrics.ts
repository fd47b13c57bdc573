import { type Metric, NumberMetric } from "./metric.ts";

/** Counts unexpected errors of a server. */
export class FaultMetrics {
  /** Number of disagreements between declared and handwritten validation. */
  readonly validationMismatches = new NumberMetric(
    "counter",
    "declarative_validation_mismatch_total",
    "Number of objects for which declarative and hand-written validation had different results.",
  );
  readonly handshakeErrors = new NumberMetric(
    "counter",
    "apiserver_tls_handshake_errors_total",
    "Number of failed TLS handshakes.",
  );
  /** Number of connections closed because of a limit. */
  readonly closedConnections = new NumberMetric(
    "counter",
    "typeplane_connections_closed_total",
    "Number of connections closed because of a limit, by reason.",
    ["reason"],
  );
  readonly unexpectedErrors = new NumberMetric(
    "counter",
    "typeplane_unexpected_errors_total",
    "Number of unexpected errors, by source.",
    ["source"],
  );

  constructor() {
    this.validationMismatches.set(0);
    this.handshakeErrors.set(0);
  }

  get families(): readonly Metric[] {
    return [this.validationMismatches, this.handshakeErrors, this.closedConnections, this.unexpectedErrors];
  }
}
