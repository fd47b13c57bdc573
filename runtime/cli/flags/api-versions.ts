import { list, string } from "./flag.ts";
import { section } from "./section.ts";

export const API_VERSIONS = section(
  "API versions and features",
  {
    release: string("release", {
      help: "Release whose API is served, past or future: 1.21. A release of the project if it has its own (typeplane.config.ts), of Kubernetes otherwise. Defaults to the current release.",
    }),
    base: string("base", {
      help: "Kinds of Kubernetes to serve beside the project's own: kubernetes (all of them), core (a control plane without pods and nodes) or none (namespaces, RBAC and reviews). Defaults to the base of typeplane.config.ts, or else kubernetes.",
    }),
    runtimeConfig: list("runtime-config", {
      help: "API versions to enable or disable: batch/v1=false,api/beta=true.",
    }).to((settings) => settings.join(",")),
    featureGates: list("feature-gates", {
      help: "Feature gates to enable or disable: Name=true,Name=false.",
    }).to((settings) => settings.join(",")),
    showHiddenMetricsFor: string("show-hidden-metrics-for-version", {
      help: "Previous release whose deprecated metrics are still shown although this release hides them.",
    }).to((release) => release ?? ""),
    disabledMetrics: list("disabled-metrics", { help: "Names of metrics that are not shown." }),
  },
  (values) => values,
);
