import { loadInTurns } from "../lib/in-turns.ts";

/** Modules of the compiler, each after those that it imports. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import("./values/json.ts"),
  () => import("./values/equality.ts"),
  () => import("./syntax/parser.ts"),
  () => import("./checker/checker.ts"),
  () => import("./compiler/constants.ts"),
  () => import("./compiler/compile.ts"),
  () => import("./cost/estimate.ts"),
  () => import("./libraries/standard/standard.ts"),
  () => import("./libraries/strings.ts"),
  () => import("./libraries/cidr.ts"),
  () => import("./kubernetes-libraries.ts"),
  () => import("./environment.ts"),
  () => import("./rules/check-structural-rules.ts"),
  () => import("./rules/structural-rules.ts"),
];

let loaded: Promise<void> | undefined;

/** Loads the CEL compiler in several turns of the event loop. In a single turn it would take 0.2 s. */
export function loadCelInTurns(): Promise<void> {
  loaded ??= loadInTurns(PARTS);
  return loaded;
}
