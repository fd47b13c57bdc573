import type { TracingConfiguration } from "../../api-definitions/apiserver/v1beta1/tracing-configuration.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { FeatureGates } from "../release/feature-gates.ts";
import {
  ConfigFileError,
  type ConfigFileLoader,
  readConfigText,
  refuseConfigFile,
} from "../schema/load-config-file.ts";
import { invalidField } from "../values/field-errors.ts";
import type { Tracing } from "./open-tracing.ts";

const MILLION = 1_000_000;
const SCHEMES = ["dns", "unix", "unix-abstract"];

/** Loads a file of kind TracingConfiguration, and OpenTelemetry. Throws a ConfigFileError if the file is invalid. */
export async function loadTracing(file: string, configFiles: ConfigFileLoader, gates: FeatureGates): Promise<Tracing> {
  if (!gates.enabled("APIServerTracing"))
    throw new ConfigFileError("APIServerTracing feature is not enabled, but tracing config file was provided");
  const { object } = configFiles.load<TracingConfiguration>(file, readConfigText(file), ["TracingConfiguration"]);
  refuseConfigFile(file, checkTracing(object));
  return (await import("./open-tracing.ts")).openTracing(object);
}

/** Validates a TracingConfiguration, with the messages of Kubernetes. */
function checkTracing({ endpoint, samplingRatePerMillion: rate }: TracingConfiguration): FieldError[] {
  const problems: FieldError[] = [];
  const field = "samplingRatePerMillion";
  if (typeof rate === "number") {
    if (rate < 0) problems.push(invalidField(field, rate, "sampling rate must be positive"));
    if (rate > MILLION)
      problems.push(invalidField(field, rate, "sampling rate per million must be less than or equal to one million"));
  }
  const [, scheme = "dns"] = /^([^/]*?):?\/\//.exec(endpoint ?? "") ?? [];
  if (!SCHEMES.includes(scheme)) {
    const known =
      "Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md";
    problems.push(invalidField("endpoint", endpoint, `unsupported scheme: ${scheme}.  ${known}`));
  }
  return problems;
}
