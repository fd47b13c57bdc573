import type { Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import { type ComparedRequest, type Differences, differencesBetween, type Pair } from "./compared-request.ts";
import type { Exchange } from "./episode.ts";
import type { Sent } from "./world.ts";

export interface Found {
  readonly idea: string;
  readonly number: number;
  readonly request: ComparedRequest;
  readonly different: readonly string[];
  readonly answers: readonly string[];
}

/** Requests that were sent, and differences between their responses. */
export class Comparison {
  readonly sent = new Map<string, { all: number; accepted: number }>();
  readonly found: Found[] = [];
  readonly #clients: Pair<PlaneClient>;
  #count = 0;

  constructor(clients: Pair<PlaneClient>) {
    this.#clients = clients;
  }

  /** Resolves with both objects if both servers created one, and with whether the real server closed the connection. */
  async send(idea: string, number: number, request: ComparedRequest): Promise<Sent> {
    const answers = await this.#compare(idea, number, request);
    const isClosed = isUnanswered(answers);
    if (!answers.every(({ status, text }) => status === 201 && text.startsWith("{"))) return { isClosed };
    return { isClosed, created: answers.map(({ text }) => JSON.parse(text)) as [Parsed, Parsed] };
  }

  exchange(idea: string, number: number): Exchange {
    return {
      send: (request) => this.#compare(idea, number, request),
      keep: (request, different, answers) => this.found.push({ idea, number, request, different, answers }),
    };
  }

  async #compare(idea: string, number: number, request: ComparedRequest): Promise<Differences["answers"]> {
    const headers = { "Audit-ID": `audit-${idea}-${number}-${this.#count++}`, ...request.headers };
    const { different, answers } = await differencesBetween(this.#clients, { ...request, headers });
    request.onAnswers?.(answers);
    const { all, accepted } = this.sent.get(idea) ?? { all: 0, accepted: 0 };
    const isAccepted = answers.every(({ status }) => status >= 200 && status < 300);
    this.sent.set(idea, { all: all + 1, accepted: accepted + Number(isAccepted) });
    const shown = answers.map(({ status, text }) => `${status} ${text}`);
    if (different.length > 0 && !isUnanswered(answers))
      this.found.push({ idea, number, request, different, answers: shown });
    return answers;
  }
}

/** Whether the real server closed the connection, which happens if a request causes a panic. */
export function isUnanswered([, theirs]: Differences["answers"]): boolean {
  return theirs.status === 0;
}
