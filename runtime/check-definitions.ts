import { startPlane } from "./plane.ts";

/** An error or warning of a server about a CustomResourceDefinition. */
export interface DefinitionProblem {
  /** Path of the field, or "" for the definition as a whole. */
  readonly field: string;
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** Creates definitions, as dry runs, on an in-process server. Returns the errors and warnings for each of them. */
export async function checkDefinitions(definitions: readonly object[]): Promise<DefinitionProblem[][]> {
  const plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  try {
    const found: DefinitionProblem[][] = [];
    for (const definition of definitions) {
      const response = await plane.fetch(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict",
        { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(definition) },
      );
      const warnings = [...(response.headers.get("Warning") ?? "").matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)];
      const status = (await response.json()) as Status;
      found.push([
        ...(response.ok ? [] : errorsOf(status)),
        ...warnings.map(([, message = ""]) => ({ field: "", message, severity: "warning" as const })),
      ]);
    }
    return found;
  } finally {
    await plane.stop();
  }
}

interface Status {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

function errorsOf({ message = "", details }: Status): DefinitionProblem[] {
  const causes = details?.causes ?? [{ message }];
  return causes.map((cause) => ({ field: cause.field ?? "", message: cause.message ?? message, severity: "error" }));
}
