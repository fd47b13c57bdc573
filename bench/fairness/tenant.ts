/**
 * A tenant as a process of its own: floods a server with gets over many connections when it is told to, and tells how many were
 * answered when it is told to stop. Its CPU time is not that of the tenant whose latency is measured.
 */
import { Agent, request } from "node:https";

export interface FloodOrder {
  readonly url: string;
  readonly token: string;
  readonly ca: string;
  readonly connections: number;
  readonly paths: readonly string[];
}

export interface FloodCount {
  readonly answered: number;
  readonly refused: number;
}

interface Flood {
  /** Counts from now on. */
  measure(): void;
  stop(): Promise<FloodCount>;
}

let running: Flood | undefined;
/** Connections are made once: handshakes are not what is measured. */
let agent: Agent | undefined;

function flood({ url, token, ca, connections, paths }: FloodOrder): Flood {
  agent ??= new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections, ca });
  let answered = 0;
  let refused = 0;
  let isOver = false;
  const get = (path: string): Promise<number> =>
    new Promise((resolve) => {
      const sent = request(`${url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      });
      sent.on("error", () => resolve(0));
      sent.end();
    });
  const connection = async (index: number): Promise<void> => {
    for (let count = index; !isOver; count++) {
      const status = await get(paths[count % paths.length] ?? "/");
      if (isOver) return;
      if (status === 200) answered += 1;
      else refused += 1;
    }
  };
  const open = Array.from({ length: connections }, (_, index) => connection(index));
  return {
    measure() {
      answered = 0;
      refused = 0;
    },
    async stop() {
      isOver = true;
      const count = { answered, refused };
      await Promise.all(open);
      return count;
    },
  };
}

process.on("message", async (order: FloodOrder | "measure" | "stop") => {
  if (order === "measure") {
    running?.measure();
    return;
  }
  if (order !== "stop") {
    running = flood(order);
    return;
  }
  const count = await running?.stop();
  process.send?.(count ?? { answered: 0, refused: 0 });
});
