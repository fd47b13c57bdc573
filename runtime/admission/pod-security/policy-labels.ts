import type { FieldError } from "../../contract/field-error.ts";
import type { Naming } from "../../contract/naming.ts";
import { invalidField } from "../../values/field-errors.ts";

const LEVELS = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof LEVELS)[number];

/** A standard as of a release (`latest`, `v1.25`). */
export interface LevelVersion {
  readonly level: Level;
  readonly version: string;
}

export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

export interface ReadPolicy {
  readonly policy: PodSecurityPolicy;
  readonly problems: readonly FieldError[];
}

export const PRIVILEGED: LevelVersion = { level: "privileged", version: "latest" };
const ALL_PRIVILEGED: PodSecurityPolicy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };

export const LEVEL_RULE = `must be one of ${LEVELS.join(", ")}`;
export const VERSION_RULE = 'must be "latest" or "v1.x"';

export function isLevel(text: string): text is Level {
  return (LEVELS as readonly string[]).includes(text);
}

export function isLevelVersion(text: string): boolean {
  return /^(latest|v1\.(0|[1-9][0-9]*))$/.test(text);
}

export function formatLevel({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

export function compareLevels(a: Level, b: Level): number {
  return LEVELS.indexOf(a) - LEVELS.indexOf(b);
}

/** Reads the policy of a namespace's labels, with defaults for absent labels. An invalid level is enforced as the strictest one, without warnings. */
export function readPolicy(
  labels: Readonly<Record<string, string>>,
  naming: Naming,
  defaults: PodSecurityPolicy = ALL_PRIVILEGED,
): ReadPolicy {
  const problems: FieldError[] = [];
  const read = (
    mode: "enforce" | "audit" | "warn",
  ): LevelVersion & { readonly given: boolean; readonly bad: boolean } => {
    const key = naming.key(mode, "pod-security");
    const levelText = labels[key];
    const versionText = labels[`${key}-version`];
    const bad = levelText !== undefined && !isLevel(levelText);
    if (bad) problems.push(invalidField(`metadata.labels[${key}]`, levelText, LEVEL_RULE));
    const badVersion = versionText !== undefined && !isLevelVersion(versionText);
    if (badVersion) problems.push(invalidField(`metadata.labels[${key}-version]`, versionText, VERSION_RULE));
    const fallback: Level = mode === "enforce" ? "restricted" : "privileged";
    return {
      level: bad ? fallback : ((levelText as Level | undefined) ?? defaults[mode].level),
      version: badVersion ? "latest" : (versionText ?? defaults[mode].version),
      given: levelText !== undefined,
      bad,
    };
  };
  const enforce = read("enforce");
  const audit = read("audit");
  let warn: LevelVersion & { readonly given: boolean } = read("warn");
  if (!warn.given && enforce.given && !enforce.bad && compareLevels(enforce.level, warn.level) > 0) {
    const hasVersion = labels[`${naming.key("warn", "pod-security")}-version`] !== undefined;
    warn = { ...warn, level: enforce.level, version: hasVersion ? warn.version : enforce.version };
  }
  const plain = ({ level, version }: LevelVersion): LevelVersion => ({ level, version });
  return { policy: { enforce: plain(enforce), audit: plain(audit), warn: plain(warn) }, problems };
}
