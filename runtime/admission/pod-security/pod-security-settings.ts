import type { FieldError } from "../../contract/field-error.ts";
import { duplicateField, invalidField } from "../../values/field-errors.ts";
import { checkDnsLabel, checkSubdomain, type NameCheck } from "../../values/names.ts";
import type { PodSecuritySettings } from "../plugin-settings.ts";
import { isLevel, isLevelVersion, LEVEL_RULE, type Level, VERSION_RULE } from "./policy-labels.ts";

const MODES = ["enforce", "warn", "audit"] as const;
type Mode = (typeof MODES)[number];

/** PodSecurityConfiguration with its default values. */
export interface PodSecurityConfiguration {
  readonly defaults?: { readonly [K in Mode | `${Mode}-version`]?: string };
  readonly exemptions?: Partial<PodSecuritySettings["exempt"]>;
}

/** Validates a configuration. */
export function checkPodSecurity({ defaults = {}, exemptions = {} }: PodSecurityConfiguration): FieldError[] {
  const problems: FieldError[] = [];
  for (const mode of MODES) {
    const { level, version } = defaultOf(defaults, mode);
    if (!isLevel(level)) problems.push(invalidField(`defaults.${mode}`, level, LEVEL_RULE));
    if (!isLevelVersion(version)) problems.push(invalidField(`defaults.${mode}-version`, version, VERSION_RULE));
  }
  return [
    ...problems,
    ...checkList("namespaces", exemptions.namespaces, checkDnsLabel),
    ...checkList("runtimeClasses", exemptions.runtimeClasses, checkSubdomain),
    ...checkList("usernames", exemptions.usernames, (name) => (name === "" ? ["username must not be empty"] : [])),
  ];
}

function checkList(field: string, values: readonly string[] = [], check: NameCheck): FieldError[] {
  return values.flatMap((value, index) => {
    const path = `exemptions.${field}[${index}]`;
    const problems = check(value);
    if (problems.length > 0) return [invalidField(path, value, problems.join(", "))];
    return values.indexOf(value) < index ? [duplicateField(path, value)] : [];
  });
}

/** Returns the default policy of a mode. An empty value is equivalent to an absent one. */
function defaultOf(defaults: NonNullable<PodSecurityConfiguration["defaults"]>, mode: Mode) {
  return { level: defaults[mode] || "privileged", version: defaults[`${mode}-version`] || "latest" };
}

/** Converts a valid configuration to settings. */
export function podSecuritySettings({ defaults = {}, exemptions = {} }: PodSecurityConfiguration): PodSecuritySettings {
  const read = (mode: Mode) => {
    const { level, version } = defaultOf(defaults, mode);
    return { level: level as Level, version };
  };
  const { usernames = [], namespaces = [], runtimeClasses = [] } = exemptions;
  return {
    defaults: { enforce: read("enforce"), audit: read("audit"), warn: read("warn") },
    exempt: { usernames, namespaces, runtimeClasses },
  };
}
