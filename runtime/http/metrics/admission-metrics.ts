import type { AdmissionChain } from "../../contract/admission.ts";
import { Histogram } from "./metric.ts";

const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** How long admission took, by its two halves. */
export function admissionLatency(): Histogram {
  return new Histogram(
    "apiserver_admission_step_admission_duration_seconds",
    "How long admission took, by what was done and whether it was refused.",
    ["operation", "rejected", "type"],
    BOUNDS,
  );
}

/** The same chain, measured. */
export function measuredAdmission(chain: AdmissionChain, latency: Histogram, monotonic: () => number): AdmissionChain {
  const timed = async (type: string, operation: string, admit: () => Promise<void>): Promise<void> => {
    const started = monotonic();
    let rejected = "true";
    try {
      await admit();
      rejected = "false";
    } finally {
      latency.observe((monotonic() - started) / 1000, operation, rejected, type);
    }
  };
  return {
    mutate: (request) => timed("admit", request.operation, () => chain.mutate(request)),
    validate: (request) => timed("validate", request.operation, () => chain.validate(request)),
  };
}
