import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { invalidField, requiredField } from "../../../../runtime/values/field-errors.ts";
import type { PodSpec } from "../pod-spec.ts";
import type { PodSecurityContext } from "../security.ts";

const SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SYSCTL = `^(${SYSCTL_SEGMENT}[\\./])*${SYSCTL_SEGMENT}$`;
/** Kernel parameters of the IPC namespace. The shortest names also stand for patterns that end in an asterisk. */
const IPC_SYSCTLS: ReadonlySet<string> = new Set([
  "kernel.sem",
  ...["all", "max", "mni", "_rmid_forced", ""].map((end) => `kernel.shm${end}`),
  ...["max", "mnb", "mni", ""].map((end) => `kernel.msg${end}`),
]);
const SYSCTL_PATTERN = new RegExp(SYSCTL);

export function validateSysctls(
  context: PodSecurityContext,
  spec: PodSpec,
  isLenient: boolean,
  path: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  for (const [index, { name }] of (context.sysctls ?? []).entries()) {
    const at = `${path}[${index}].name`;
    if (!name) errors.push(requiredField(at));
    else if (name.length > 253 || !SYSCTL_PATTERN.test(name)) {
      errors.push(invalidField(at, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    } else if (names.has(name))
      errors.push({ field: at, reason: "FieldValueDuplicate", message: `Duplicate value: "${name}"` });
    const shared = isLenient ? undefined : isHostSysctl(name, spec);
    if (shared !== undefined) errors.push(invalidField(at, name, `may not be specified when '${shared}' is true`));
    names.add(name);
  }
}

/** Returns the field by which the pod shares the namespace of a kernel parameter with its host; undefined if it does not share it. */
export function isHostSysctl(name: string, spec: PodSpec): "hostNetwork" | "hostIPC" | undefined {
  const [dotted = ""] = withDots(name).split("*", 1);
  if (spec.hostNetwork && dotted.startsWith("net.")) return "hostNetwork";
  const isIpc = IPC_SYSCTLS.has(dotted) || dotted.startsWith("fs.mqueue.");
  return spec.hostIPC && isIpc ? "hostIPC" : undefined;
}

/** Returns the name with dots as separators. If slashes separate the segments, dots are part of a segment and become slashes. */
function withDots(name: string): string {
  const [separator] = /[./]/.exec(name) ?? [];
  return separator === "/" ? name.replace(/[./]/g, (character) => (character === "/" ? "." : "/")) : name;
}
