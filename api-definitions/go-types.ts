import { goDiff } from "../runtime/go/diff/diff.ts";
import { shown } from "../runtime/go/literal.ts";
import { GoTypes } from "../runtime/go/types.ts";
import { goValueText, readGoValue } from "../runtime/go/value.ts";
import type { Verbatim } from "../runtime/go/verbatim.ts";
import { APPS_GO_TYPES } from "./apps/go-types.ts";
import { BATCH_GO_TYPES } from "./batch/go-types.ts";
import { CERTIFICATES_GO_TYPES } from "./certificates/go-types.ts";
import { CORE_GO_TYPES } from "./core/go-types.ts";
import { FLOWCONTROL_GO_TYPES } from "./flowcontrol/go-types.ts";
import { META_GO_TYPES, RUNTIME_GO_TYPES } from "./meta/go-types.ts";
import { NETWORKING_GO_TYPES } from "./networking/go-types.ts";
import { POLICY_GO_TYPES } from "./policy/go-types.ts";
import { RBAC_GO_TYPES } from "./rbac/go-types.ts";
import { RESOURCE_GO_TYPES } from "./resource/go-types.ts";
import { STORAGE_GO_TYPES } from "./storage/go-types.ts";
import { STORAGEMIGRATION_GO_TYPES } from "./storagemigration/go-types.ts";

/** Go types whose values Kubernetes shows in messages. */
export const GO_TYPES = new GoTypes({
  apps: APPS_GO_TYPES,
  batch: BATCH_GO_TYPES,
  certificates: CERTIFICATES_GO_TYPES,
  core: CORE_GO_TYPES,
  flowcontrol: FLOWCONTROL_GO_TYPES,
  networking: NETWORKING_GO_TYPES,
  policy: POLICY_GO_TYPES,
  rbac: RBAC_GO_TYPES,
  resource: RESOURCE_GO_TYPES,
  runtime: RUNTIME_GO_TYPES,
  storage: STORAGE_GO_TYPES,
  storagemigration: STORAGEMIGRATION_GO_TYPES,
  v1: META_GO_TYPES,
});

/** Formats a value for field errors as Kubernetes does. `type` is the name of its Go type. */
export function shownAs(type: string, value: unknown): Verbatim {
  return shown(goValueText(readGoValue(GO_TYPES.find(type), value)));
}

/** Formats the difference of two values as Kubernetes appends it to some messages. */
export function diffAs(type: string, old: unknown, next: unknown): string {
  const goType = GO_TYPES.find(type);
  return goDiff(readGoValue(goType, old), readGoValue(goType, next));
}
