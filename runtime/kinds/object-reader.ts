import type { ApiObject } from "../contract/api-object.ts";
import { parseLargeOwnJson, parseOwnJsonSteps } from "../encoding/json/parse-json.ts";
import { parseStoredObject, parseToEncode } from "../encoding/json/parse-stored-object.ts";
import { parseWithout } from "../encoding/json/parse-without.ts";
import { stringifyJsonSteps } from "../encoding/json/stringify-json.ts";
import { stringifyStoredObject } from "../encoding/json/stringify-stored-object.ts";
import { viewJson } from "../encoding/json/view-json.ts";
import type { Steps } from "../lib/in-turns.ts";
import type { ObjectReader, PlainObject } from "../watch/cached-object.ts";
import type { MemoBudget } from "../watch/memo-budget.ts";
import { keepRawTexts } from "./keep-raw-texts.ts";
import { standsAlone } from "./read-metadata.ts";

export interface ObjectReaderParts {
  readonly selectableFields: (object: ApiObject) => Readonly<Record<string, string>>;
  /** Members that hold raw data whose original text must be kept. */
  readonly rawTexts?: readonly string[] | undefined;
  readonly budget: MemoBudget;
}

/** Creates the functions that parse and print the JSON of one kind's objects. */
export function createObjectReader({ selectableFields, rawTexts, budget }: ObjectReaderParts): ObjectReader {
  return {
    parse: (json) => parseStoredObject(json) as PlainObject,
    parseLarge: async (json) => (await parseLargeOwnJson(json)) as PlainObject,
    parseSteps: (json) => parseOwnJsonSteps(json) as Steps<PlainObject>,
    parseToEncode: (json) => parseToEncode(json) as PlainObject,
    view: (json) => viewJson(json) as PlainObject,
    parseWithout: (json, paths) => parseWithout(json, paths) as PlainObject,
    stringify: (value) => stringifyStoredObject(value),
    stringifySteps: (value) => stringifyJsonSteps(value),
    selectableFields: (object) => selectableFields(object as unknown as ApiObject),
    standsAlone,
    budget,
    ...(rawTexts && keepRawTexts(rawTexts, selectableFields)),
  };
}
