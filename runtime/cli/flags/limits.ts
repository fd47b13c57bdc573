import { defaultMaxConnections } from "../../http/transport/connection-limits.ts";
import { boolean, duration, number } from "./flag.ts";
import { section } from "./section.ts";

/** Maximum delay of a timer. */
const NO_LIMIT_MS = 2 ** 31 - 1;

const timeout = (name: string, fallback: string, help: string) =>
  duration(name, { default: fallback, help }).to((milliseconds) =>
    Math.min(Math.ceil(milliseconds) || NO_LIMIT_MS, NO_LIMIT_MS),
  );

export const LIMITS = section(
  "Limits",
  {
    reads: number("max-requests-inflight", {
      default: "400",
      help: "Maximum number of read requests that are handled at the same time; more get 429. 0 means no limit.",
    }),
    writes: number("max-mutating-requests-inflight", {
      default: "200",
      help: "Maximum number of write requests that are handled at the same time, counted once the body has arrived; more get 429. 0 means no limit.",
    }),
    fairness: boolean("enable-priority-and-fairness", {
      default: "true",
      help: "Whether requests are queued fairly by FlowSchemas and PriorityLevelConfigurations. The two limits of requests in flight together are then the number of seats; if both are 0, nothing is queued.",
    }),
    requestTimeoutMs: duration("request-timeout", {
      default: "1m0s",
      help: "Maximum duration of a request, including its body and its response. Watches and other long-running requests are not limited. 0 means no limit.",
    }),
    minRequestTimeoutSeconds: number("min-request-timeout", {
      default: "1800",
      help: "Minimum duration of a watch in seconds, unless the client sets timeoutSeconds. Each watch gets a random duration of up to twice this value.",
    }),
    longRunningPerUser: number("max-longrunning-requests-per-user", {
      default: "5000",
      help: "Maximum number of open watches, logs and upgraded connections of one user; the service accounts of a namespace count as one user. 0 means no limit.",
    }),
    longRunning: number("max-longrunning-requests", {
      default: "20000",
      help: "Maximum number of open watches, logs and upgraded connections of all users. Nodes and system components may exceed it. 0 means no limit.",
    }),
    requestBodyBytesPerUser: number("max-request-body-bytes-per-user", {
      default: "134217728",
      help: "Maximum bytes of incomplete request bodies, and of large URLs and headers, of one user; more get 429. 0 means no limit.",
    }),
    requestBodyBytes: number("max-request-body-bytes", {
      default: "536870912",
      help: "Maximum bytes of incomplete request bodies, and of large URLs and headers, of all users; more get 429. 0 means no limit.",
    }),
    responseBytesPerUser: number("max-response-bytes-per-user", {
      default: "268435456",
      help: "Maximum bytes of large responses and watch events that one user has not read yet. 0 means no limit.",
    }),
    responseBytes: number("max-response-bytes", {
      default: "1073741824",
      help: "Maximum bytes of large responses and watch events that all users have not read yet. 0 means no limit.",
    }),
    watchBacklogBytes: number("watch-backlog-bytes", {
      default: "134217728",
      help: "Maximum bytes of events that wait to be sent to watches. Beyond it the watches whose clients have not read for the longest time end. 0 means no limit.",
    }),
    maxConnections: number("max-connections", {
      default: "0",
      help: "Maximum number of open connections. Beyond it idle connections are closed. 0 means four fifths of the process's limit of open files, at most 16384.",
    }).to((count) => count || defaultMaxConnections()),
    maxHandshakes: number("max-tls-handshakes", {
      default: "500",
      help: "Maximum number of unfinished TLS handshakes. Beyond it the oldest is closed. 0 means no limit.",
    }).to((count) => count || Number.POSITIVE_INFINITY),
    handshakeTimeoutMs: timeout(
      "tls-handshake-timeout",
      "10s",
      "Maximum duration of a TLS handshake. 0 means no limit.",
    ),
    headersTimeoutMs: timeout(
      "read-header-timeout",
      "32s",
      "Maximum time until the headers of a request, or the first request of a connection, have arrived. 0 means no limit.",
    ),
    readTimeoutMs: timeout(
      "read-request-timeout",
      "5m0s",
      "Maximum time until a whole request has arrived, including its body. 0 means no limit.",
    ),
    idleTimeoutMs: timeout(
      "idle-connection-timeout",
      "1m30s",
      "How long a connection without a request is kept open. 0 means forever.",
    ),
    progressTimeoutMs: timeout(
      "response-progress-timeout",
      "1m0s",
      "How long a response waits for a client that reads nothing of it. 0 means forever.",
    ),
  },
  ({ requestTimeoutMs, minRequestTimeoutSeconds, ...limits }) => {
    const { maxConnections, maxHandshakes, handshakeTimeoutMs, headersTimeoutMs, readTimeoutMs } = limits;
    const { idleTimeoutMs, progressTimeoutMs, fairness, reads, writes, watchBacklogBytes } = limits;
    return {
      requestTimeoutMs,
      minRequestTimeoutSeconds,
      connectionLimits: {
        ...{ maxConnections, maxHandshakes, handshakeTimeoutMs, headersTimeoutMs, idleTimeoutMs, progressTimeoutMs },
        requestTimeoutMs: readTimeoutMs,
      },
      budgets: {
        ...{ fairness, reads, writes, watchBacklogBytes },
        longRunning: { perUser: limits.longRunningPerUser, total: limits.longRunning },
        requestBodyBytes: { perUser: limits.requestBodyBytesPerUser, total: limits.requestBodyBytes },
        responseBytes: { perUser: limits.responseBytesPerUser, total: limits.responseBytes },
      },
    };
  },
);
