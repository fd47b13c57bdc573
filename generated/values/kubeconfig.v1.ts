// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of kubeconfig/v1.ExecInteractiveMode. */
export const ExecInteractiveMode: readonly string[] = ["Never", "IfAvailable", "Always"];
