import { bodies } from "./attackers/bodies.ts";
import { connections } from "./attackers/connections.ts";
import { definitions } from "./attackers/definitions.ts";
import { headers } from "./attackers/headers.ts";
import { http1 } from "./attackers/http1.ts";
import { http2 } from "./attackers/http2.ts";
import { paths } from "./attackers/paths.ts";
import { slowPeers } from "./attackers/slow-peers.ts";
import { intruder, neighbour } from "./attackers/tenants.ts";
import { websocket } from "./attackers/websocket.ts";
import type { Attacker } from "./input.ts";

export const ATTACKERS: readonly Attacker[] = [
  bodies,
  definitions,
  paths,
  headers,
  http1,
  http2,
  websocket,
  connections,
  intruder,
  neighbour,
  slowPeers,
];
