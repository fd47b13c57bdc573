import type { ApiChange } from "./api-change.ts";
import type { GateSnapshot } from "./snapshot.ts";

type Step = GateSnapshot["steps"][number];

/** Returns gates that were added, removed or changed their stage. */
export function compareGates(before: readonly GateSnapshot[], after: readonly GateSnapshot[]): ApiChange[] {
  const now = new Map(after.map((gate) => [gate.name, gate]));
  const old = new Map(before.map((gate) => [gate.name, gate]));
  const changes: ApiChange[] = [];
  for (const [name, gate] of old) {
    const next = now.get(name);
    const where = `gate ${name}`;
    if (next === undefined) changes.push({ code: "gate-removed", where, text: "was removed" });
    else for (const text of gateChanges(gate, next)) changes.push({ code: "gate-changed", where, text });
  }
  for (const [name, gate] of now)
    if (!old.has(name)) changes.push({ code: "gate-added", where: `gate ${name}`, text: `is new: ${gateText(gate)}` });
  return changes;
}

function gateChanges(old: GateSnapshot, now: GateSnapshot): string[] {
  const [was, is] = [gateText(old), gateText(now)];
  if (was === is) return [];
  const movedOn = old.steps.every((step, index) => stepText(step) === stepText(now.steps[index]));
  if (!movedOn || (old.dropped !== undefined && old.dropped !== now.dropped)) return [`changed from ${was} to ${is}`];
  return [
    ...now.steps.slice(old.steps.length).map((step) => `became ${stepText(step)}`),
    ...(old.dropped === now.dropped ? [] : [`will be removed in ${now.dropped}`]),
  ];
}

function gateText({ steps, dropped }: GateSnapshot): string {
  return [...steps.map(stepText), ...(dropped === undefined ? [] : [`removed in ${dropped}`])].join(", ");
}

/**
 * Formats a step as `beta in 1.33`. Notes deviations from the defaults of the stage: alpha and deprecated gates are off, others on, stable
 * ones locked.
 */
function stepText(step: Step | undefined): string {
  if (step === undefined) return "";
  const { since, stage, enabled, locked } = step;
  const usual = stage === "beta" || stage === "stable";
  const notes = [
    ...(enabled === undefined || enabled === usual ? [] : [enabled ? "on" : "off"]),
    ...(enabled === undefined || (locked === true) === (stage === "stable") ? [] : [locked ? "locked" : "unlocked"]),
  ];
  return `${stage} in ${since}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}
