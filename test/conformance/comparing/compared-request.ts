import { setTimeout as delay } from "node:timers/promises";
import type { WebhookServer } from "../../admission/webhook-server.ts";
import { differencesOf } from "../../fixtures/differences-of.ts";
import type { Answer, Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { comparableAnswer } from "./comparable-answer.ts";
import type { Example } from "./example-objects.ts";
import type { MadeKinds } from "./own/made-kinds.ts";
import { readableAnswer } from "./readable-answer.ts";

/** Whether both servers serve all versions, including those that are disabled by default. */
export const servesAll = process.env.APIS === "all";

/** One value for this server and one for the real one. */
export type Pair<T> = readonly [mine: T, theirs: T];

/** An object on both servers, as each of them shows it. */
export interface Stored {
  readonly path: string;
  readonly mine: Parsed;
  readonly theirs: Parsed;
}

/** The first page of a list. */
export interface Listed {
  readonly path: string;
  readonly versions: Pair<string>;
  readonly tokens: Pair<string>;
}

/** State of both servers at the start of the comparison. */
export interface World {
  readonly clients: Pair<PlaneClient>;
  /** Webhooks that each of the servers may call. */
  readonly reviewers: Pair<WebhookServer>;
  readonly examples: readonly Example[];
  readonly stored: readonly Stored[];
  readonly lists: readonly Listed[];
  /** Resources of the real server, as `apps/v1/deployments` and `/v1/pods`. */
  readonly served: ReadonlySet<string>;
  /** Kinds that only this server has from definitions, if the idea `ownKinds` is selected. */
  readonly own?: MadeKinds;
}

export interface ComparedRequest {
  readonly method: string;
  /** Two paths if they contain versions of the servers. */
  readonly path: string | Pair<string>;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Bearer tokens, instead of the administrator's. */
  readonly tokens?: Pair<string>;
  /** Strings and bytes are sent unchanged, other values as JSON. */
  readonly bodies?: Pair<unknown>;
  readonly what: string;
  /**
   * Whether two rejections with the same status count as equal regardless of their messages: which of several errors is reported depends on
   * the decoder.
   */
  readonly comparesVerdicts?: boolean;
  /**
   * Whether two rejections of an object count as equal regardless of their status: typed kinds reject in the decoder what custom resources
   * validate.
   */
  readonly comparesAcceptance?: boolean;
  /** The part of the responses to compare. Defaults to the whole body. */
  readonly view?: (body: Parsed) => unknown;
  /** Called before the next request of a sequence is created. */
  readonly onAnswers?: (answers: Pair<Answered>) => void;
}

/** Creates requests that store nothing. */
export type RequestMaker = (random: Random, world: World) => ComparedRequest;

/** Creates requests that depend on the previous ones. */
export type SequenceMaker = (random: Random, world: World) => Iterable<ComparedRequest>;

/** Differences between two responses, and both responses. */
export interface Differences {
  readonly different: readonly string[];
  readonly answers: Pair<Answered>;
}

export type Answered = Pick<Answer, "status" | "headers" | "text">;

const LONGEST_MS = 15_000;
/** Statuses for rejected objects: undecodable, in conflict, invalid, and an apply that does not match the types. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 409, 422, 500]);

export async function differencesBetween(
  clients: Pair<PlaneClient>,
  { method, path, type, headers, tokens, bodies, view, comparesVerdicts, comparesAcceptance }: ComparedRequest,
): Promise<Differences> {
  const answers = await Promise.all(
    clients.map(async (call, index) => {
      const body = bodies?.[index];
      const options = {
        ...(body !== undefined && { body }),
        ...(type !== undefined && { type }),
        headers: { ...(tokens && { Authorization: `Bearer ${tokens[index]}` }), ...headers },
      };
      const asked = call(method, typeof path === "string" ? path : (path[index] ?? ""), options);
      const late = delay(LONGEST_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("no answer")));
      // A kube-apiserver closes the connection if a request causes a panic.
      return await Promise.race([asked, late]).then(readableAnswer, ({ message }: Error) => noAnswer(message));
    }),
  );
  const statuses = answers.map(({ status }) => status);
  if (comparesAcceptance && statuses.every((status) => REFUSALS.has(status)))
    return { different: [], answers: answers as [Answered, Answered] };
  if (comparesVerdicts && (statuses[0] ?? 0) >= 400 && statuses[0] === statuses[1])
    return { different: [], answers: answers as [Answered, Answered] };
  const [mine, theirs] = answers.map((answer) => comparableAnswer(answer, view));
  const different = differencesOf("", mine, theirs);
  const isReordered = view === undefined && different.length === 0 && JSON.stringify(mine) !== JSON.stringify(theirs);
  return {
    different: isReordered ? [".order: fields are in another order"] : different,
    answers: answers as [Answered, Answered],
  };
}

function noAnswer(message: string): Answered {
  return { status: 0, headers: {}, text: JSON.stringify({ message }) };
}
