import type { ApiObject } from "../../contract/api-object.ts";
import { goQuote } from "../../go/quote.ts";
import { sortUtf8 } from "../../lib/compare-utf8.ts";
import { type ExpectedType, otherKindProblem } from "../../resource/decode-object.ts";
import { readTypeMeta } from "../../schema/type-meta.ts";
import { invalidField } from "../../values/field-errors.ts";
import { badRequest, internalError, invalid } from "../../values/status-errors.ts";

export interface PatchedType extends Pick<ExpectedType, "kind" | "kinds" | "goPackage" | "scheme" | "custom"> {
  readonly apiVersion: string;
  /** The versions of a custom kind. */
  readonly versions?: readonly string[] | undefined;
  /** Whether the request is for a subresource: changes to other parts of the object are ignored. */
  readonly isPart?: boolean;
}

/** How messages show the patch, and how errors of strict decoding are reported. */
interface PatchReport {
  readonly show: () => string;
  readonly report: (problems: readonly string[]) => void;
}

/**
 * Checks `kind` and `apiVersion` after a JSON or merge patch. Returns an error that Kubernetes reports as an error of the patch, and throws
 * other errors. Throws `DecodeError` for values that are not strings.
 */
export function patchedTypeProblem(
  patched: unknown,
  current: ApiObject,
  target: PatchedType,
  { show, report }: PatchReport,
): string | undefined {
  const said = readTypeMeta(patched, { anyCase: true, sorted: true });
  const { apiVersion, kind } = target.custom ? readTypeMeta(patched, { anyCase: false }) : said;
  if (kind === target.kind && apiVersion === target.apiVersion) return undefined;
  const name = current.metadata.name ?? "";
  if (target.custom) {
    if (kind === "") return `Object 'Kind' is missing in '${show()}'`;
    if (apiVersion === "") throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    if (kind === target.kind && isUnknownVersion(apiVersion, target)) {
      report(unknownToNoVersion(patched).filter((problem) => problem !== 'unknown field "metadata"'));
    }
    if (target.isPart) return undefined;
    throw refuseCustomType(apiVersion, kind, name, target);
  }
  if (apiVersion === "") {
    report(unknownToNoVersion(patched));
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (apiVersion.endsWith("/")) return `Object 'apiVersion' is missing in '${show()}'`;
  return otherKindProblem(apiVersion, kind === "" ? target.kind : kind, patched, target);
}

function isUnknownVersion(apiVersion: string, { apiVersion: own, versions = [] }: PatchedType): boolean {
  const [group, version = ""] = apiVersion.split("/");
  return group === own.split("/")[0] && !versions.includes(version);
}

/** For an object of an unknown version, the only fields that Kubernetes knows are `apiVersion` and `kind`. */
function unknownToNoVersion(patched: unknown): string[] {
  const keys = sortUtf8(Object.keys(patched as object));
  return keys.filter((key) => key !== "apiVersion" && key !== "kind").map((key) => `unknown field ${goQuote(key)}`);
}

function refuseCustomType(apiVersion: string, kind: string, name: string, target: PatchedType) {
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  return invalid({ group, kind }, name, [
    ...(kind === target.kind ? [] : [invalidField("kind", kind, `must be ${target.kind}`)]),
    ...(apiVersion === target.apiVersion
      ? []
      : [invalidField("apiVersion", apiVersion, `must be ${target.apiVersion}`)]),
  ]);
}
