import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { excludeFields } from "../../runtime/apply/fieldpath/field-filter.ts";
import { fieldPath } from "../../runtime/apply/fieldpath/path.ts";
import { ApplyConflictError } from "../../runtime/apply/managed-fields/apply-errors.ts";
import { createFieldManager, type FieldManager } from "../../runtime/apply/managed-fields/field-manager.ts";
import type { MergeType } from "../../runtime/contract/merge-schema.ts";
import { getObject, getString, type JsonObject } from "../../runtime/lib/json-object.ts";
import { type CrdSchema, crdMergeType } from "./fixtures/crd-schema.ts";
import { FactsSchema, haveFacts } from "./fixtures/facts-schema.ts";

/**
 * Recorded writes of a real server: from the previous object and the request, our field manager must compute the same managers and the same
 * conflicts. Defaults and validation are those of the recorded server.
 */
const recording = new URL("../../../shared/conformance/answers.jsonl.gz", import.meta.url);
const present = haveFacts && existsSync(recording);

interface Step {
  method: string;
  path: string;
  type?: string;
  body?: JsonObject;
}
interface Scenario {
  group: string;
  name: string;
  setup: Step[];
  steps: Step[];
  answers: { status: number; body: JsonObject | null }[];
}

interface Outcome {
  step: string;
  expected: unknown;
  actual: unknown;
}

class Replay {
  readonly #facts: FactsSchema;
  readonly #crds = new Map<string, CrdSchema>();
  readonly #live = new Map<string, JsonObject>();
  readonly outcomes: Outcome[] = [];

  constructor(facts: FactsSchema, scenario: Scenario) {
    this.#facts = facts;
    for (const step of scenario.setup) this.#learnCrd(step.body);
    scenario.steps.forEach((step, index) => {
      const answer = scenario.answers[index];
      this.#learnCrd(step.body);
      if (answer !== undefined) this.#replay(step, answer.status, answer.body, index);
    });
  }

  #learnCrd(body: unknown): void {
    const crd = body as { kind?: string; spec?: { group: string; names: { kind: string }; versions: unknown[] } };
    if (crd?.kind !== "CustomResourceDefinition" || !Array.isArray(crd.spec?.versions)) return;
    for (const version of crd.spec.versions as { name: string; schema?: { openAPIV3Schema: CrdSchema } }[]) {
      const schema = version.schema?.openAPIV3Schema;
      if (schema) this.#crds.set(`${crd.spec.group}/${version.name} ${crd.spec.names?.kind}`, schema);
    }
  }

  #schema(apiVersion: string, kind: string): MergeType | undefined {
    const crd = this.#crds.get(`${apiVersion} ${kind}`);
    if (crd === undefined) return this.#facts.kind(apiVersion, kind);
    const configMap = this.#facts.kind("v1", "ConfigMap");
    const metadata = configMap?.kind === "map" ? configMap.fields.get("metadata")?.type : undefined;
    return metadata && crdMergeType(crd, metadata);
  }

  #replay(step: Step, status: number, body: JsonObject | null, index: number): void {
    const [path = "", query = ""] = step.path.split("?");
    const params = new URLSearchParams(query);
    const subresource = /\/(status|scale|ephemeralcontainers|resize)$/.exec(path)?.[1] ?? "";
    const key = (subresource ? path.slice(0, -subresource.length - 1) : path).replace(/\/v\d\w*\//, "/");
    const answered = body ?? {};
    if (params.has("dryRun")) return;
    if (step.method === "DELETE" || subresource === "scale") this.#live.delete(key);
    const live = this.#live.get(key);
    const applies = step.type?.startsWith("application/apply-patch") === true;
    const isObject = status < 300 && typeof getObject(answered, "metadata")?.name === "string";
    const conflicts = applies && status === 409 && getObject(answered, "details")?.causes !== undefined;
    const comparable = (subresource === "" || subresource === "status") && (live !== undefined || status === 201);
    if (comparable && (isObject || conflicts)) {
      this.#compare(step, params, subresource, live, answered, `${index} ${step.method} ${step.path}`);
    }
    if (isObject && (subresource === "" || subresource === "status")) {
      const name = getString(getObject(answered, "metadata"), "name");
      this.#live.set(step.method === "POST" ? `${key}/${name}` : key, answered);
    }
  }

  #compare(
    step: Step,
    params: URLSearchParams,
    subresource: string,
    live: JsonObject | undefined,
    answered: JsonObject,
    label: string,
  ): void {
    const source = answered.kind === "Status" ? (step.body as JsonObject) : answered;
    const apiVersion = getString(source, "apiVersion");
    const kind = getString(source, "kind");
    if (step.method === "GET" || this.#schema(apiVersion, kind) === undefined) return;
    const fieldManager = this.#fieldManager(apiVersion, kind, subresource);
    const manager = params.get("fieldManager") ?? "conformance-diff";
    if (step.type?.startsWith("application/apply-patch")) {
      const force = params.get("force") === "true";
      this.outcomes.push(applied(fieldManager, live, step.body as JsonObject, manager, force, answered, label));
    } else if (step.method === "POST" || step.method === "PUT" || step.method === "PATCH") {
      // An update of status may also have tried to change fields that it cannot change. The response does not show them.
      if (subresource !== "" || COMPLETED_LATER.has(kind)) return;
      if (JSON.stringify(step.body).includes("managedFields")) return;
      const before = step.method === "POST" ? undefined : live;
      if (step.method !== "POST" && live === undefined) return;
      const { managedFields: _managed, ...metadata } = getObject(answered, "metadata") ?? {};
      const next = { ...answered, metadata };
      const result = fieldManager.update(before, next, manager);
      this.outcomes.push({ step: label, expected: managersOf(answered), actual: managersOf(result) });
    }
  }

  #fieldManager(apiVersion: string, kind: string, subresource: string): FieldManager {
    return createFieldManager({
      apiVersion,
      kind,
      subresource,
      now: () => new Date("2026-01-02T03:04:05Z"),
      schemaFor: (version) => this.#schema(version, kind),
      convert: (object, version) => ({ ...object, apiVersion: version }),
      resetFields: () => excludeFields(...(subresource === "status" ? STATUS_RESETS : MAIN_RESETS)),
    });
  }
}

function applied(
  fieldManager: FieldManager,
  live: JsonObject | undefined,
  config: JsonObject,
  manager: string,
  force: boolean,
  answered: JsonObject,
  step: string,
): Outcome {
  const expected =
    answered.kind === "Status" ? [answered.message, (answered.details as JsonObject)?.causes] : managersOf(answered);
  try {
    return { step, expected, actual: managersOf(fieldManager.apply(live, config, manager, force)) };
  } catch (error) {
    if (!(error instanceof ApplyConflictError)) return { step, expected, actual: String(error) };
    return { step, expected, actual: [error.message, error.causes] };
  }
}

const MAIN_RESETS = [fieldPath("status")];
const STATUS_RESETS = [fieldPath("spec"), fieldPath("metadata", "labels")];

/** Kinds whose responses contain fields that were set after ownership was computed: by admission or allocation. */
const COMPLETED_LATER = new Set(["Pod", "Service", "Job", "CertificateSigningRequest", "Ingress", "ServiceCIDR"]);

/** Managers as strings, without times. */
function managersOf(object: JsonObject): string[] {
  const entries = (getObject(object, "metadata")?.managedFields ?? []) as JsonObject[];
  return entries
    .map((entry) => {
      const time = entry.time === undefined ? "never" : String(entry.time).startsWith("2020") ? entry.time : "timed";
      const { manager, operation, apiVersion, subresource, fieldsV1 } = entry;
      return `${manager} ${operation} ${apiVersion} ${subresource ?? ""} ${time} ${JSON.stringify(fieldsV1)}`;
    })
    .sort();
}

function scenarios(): Scenario[] {
  if (!present) return [];
  const lines = gunzipSync(readFileSync(recording)).toString("utf8").trim().split("\n");
  return (
    lines
      .map((line) => JSON.parse(line) as Scenario)
      .filter((one) => ["apply", "patch", "crud"].includes(one.group))
      // Two subresources share the status of this kind, each with half of it.
      .filter((one) => !one.name.startsWith("certificatesigningrequests"))
  );
}

describe.skipIf(!present)("managedFields of a recorded server (needs ../shared)", () => {
  const facts = present ? new FactsSchema() : undefined;
  it.each(scenarios().map((one) => [`${one.group}/${one.name}`, one] as const))("%s", (_name, scenario) => {
    const { outcomes } = new Replay(facts as FactsSchema, scenario);
    expect(outcomes.map(({ step, actual }) => [step, actual])).toEqual(
      outcomes.map(({ step, expected }) => [step, expected]),
    );
  });
});
