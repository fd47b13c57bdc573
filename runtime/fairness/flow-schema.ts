import type { FlowMeters, FlowMetrics } from "../metrics/flow-metrics.ts";
import type { FlowSchemaObject } from "./configuration.ts";
import type { BacklogParts } from "./flow-backlog.ts";
import { compileRules, type RequestMatcher } from "./match-requests.ts";
import type { PriorityLevel } from "./priority-level.ts";
import { Dealer } from "./shuffle-shard.ts";

const LOWEST_PRECEDENCE = 1000;

/** A FlowSchema with an existing priority level, ready to match requests. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly precedence: number;
  readonly matches: RequestMatcher;
  /** `ByUser`, `ByNamespace` or undefined. */
  readonly distinguisher: string | undefined;
  readonly level: PriorityLevel;
  /** Assigns queues to flows; undefined if the level has no queues. */
  readonly dealer: Dealer | undefined;
  readonly meters: FlowMeters;
}

export function createFlowSchema(
  object: FlowSchemaObject,
  level: PriorityLevel,
  parts: BacklogParts & { readonly metrics: FlowMetrics },
): FlowSchema {
  const { name = "", uid = "" } = object.metadata;
  const spec = object.spec ?? {};
  const { queues, handSize } = level.config;
  return {
    name,
    uid,
    precedence: spec.matchingPrecedence ?? LOWEST_PRECEDENCE,
    matches: compileRules(spec),
    distinguisher: spec.distinguisherMethod?.type,
    level,
    dealer: queues > 1 ? new Dealer(name, queues, handSize, parts) : undefined,
    meters: parts.metrics.metersOf(level.config.name, name),
  };
}

/** Compares schemas in matching order: by precedence, then by name. */
export function comparePrecedence(a: FlowSchema, b: FlowSchema): number {
  return a.precedence - b.precedence || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
