import { apiVersionOf } from "../contract/group-version.ts";
import type { RequestInfo, RequestQuery } from "../contract/request-info.ts";
import { formatDuration } from "../go/duration.ts";
import type { PriorityLevel } from "./priority-level.ts";
import type { SeatRequest } from "./request-queue.ts";

const PREFIX = "/debug/api_priority_and_fairness/";
const LEVEL_COLUMNS =
  "PriorityLevelName ActiveQueues IsIdle IsQuiescing WaitingRequests ExecutingRequests DispatchedRequests RejectedRequests TimedoutRequests CancelledRequests";
const QUEUE_COLUMNS =
  "PriorityLevelName Index PendingRequests ExecutingRequests SeatsInUse NextDispatchR InitialSeatsSum MaxSeatsSum TotalWorkSum";
// Spelled as in Kubernetes.
const REQUEST_COLUMNS =
  "PriorityLevelName FlowSchemaName QueueIndex RequestIndexInQueue FlowDistingsher ArriveTime InitialSeats FinalSeats AdditionalLatency StartTime";
const DETAIL_COLUMNS = "UserName Verb APIPath Namespace Name APIVersion Resource SubResource";

export interface DebugParts {
  readonly levels: readonly PriorityLevel[];
  /** Converts a time of the monotonic clock to a date. */
  readonly dateOf: (monotonicMs: number) => Date;
}

/** Returns a page of tables under `/debug/api_priority_and_fairness/` in the format of Kubernetes; undefined for other paths. */
export function debugPage(path: string, query: RequestQuery, { levels, dateOf }: DebugParts): string | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const sorted = [...levels].sort((a, b) => (a.config.name < b.config.name ? -1 : 1));
  switch (path.slice(PREFIX.length)) {
    case "dump_priority_levels":
      return formatTable(LEVEL_COLUMNS, sorted.map(levelRow));
    case "dump_queues":
      return formatTable(QUEUE_COLUMNS, sorted.flatMap(queueRows));
    case "dump_requests": {
      const withDetails = (query.get("includeRequestDetails") ?? "") !== "";
      const rows = sorted.flatMap((level) => requestRows(level, dateOf, withDetails));
      return formatTable(withDetails ? `${REQUEST_COLUMNS} ${DETAIL_COLUMNS}` : REQUEST_COLUMNS, rows);
    }
    default:
      return undefined;
  }
}

function levelRow(level: PriorityLevel): string[] {
  const { config, quiescing, waiting, executing, dispatched, rejected, timedOut } = level;
  const active = level.queues.filter((queue) => queue.waiting.length > 0).length;
  const counts = [waiting, executing, dispatched, rejected, 0, timedOut];
  return [config.name, String(active), String(level.isIdle), String(quiescing), ...counts.map(String)];
}

function queueRows({ config, queues }: PriorityLevel): string[][] {
  if (config.queues === 0) return [];
  const sum = (requests: readonly SeatRequest[], of: (request: SeatRequest) => number): string =>
    String(requests.reduce((total, request) => total + of(request), 0));
  return queues.map(({ index, waiting, executing, seatsInUse, tag, waitingWork }) => [
    ...[config.name, String(index), String(waiting.length), String(executing), String(seatsInUse)],
    formatSeatSeconds(tag),
    sum(waiting, ({ work }) => work.seats),
    sum(waiting, ({ seats }) => seats),
    formatSeatSeconds(waitingWork),
  ]);
}

function requestRows(level: PriorityLevel, dateOf: DebugParts["dateOf"], withDetails: boolean): string[][] {
  const rowOf = (request: SeatRequest, position: number): string[] => {
    const { schema, flow, arrived, work, started, phase, queue, info, user } = request;
    const queueIndex = level.config.queues === 0 ? -1 : (queue?.index ?? -1);
    return [
      ...[level.config.name, schema.name, String(queueIndex), String(position), flow],
      formatNanoTime(dateOf(arrived)),
      ...[String(work.seats), String(work.finalSeats), formatDuration(BigInt(Math.round(work.lingerMs * 1e6)))],
      phase === "executing" ? formatNanoTime(dateOf(started)) : ZERO_TIME,
      ...(withDetails ? [user.name, ...detailsOf(info)] : []),
    ];
  };
  return [
    ...level.queues.flatMap(({ waiting }) => waiting.map((request, position) => rowOf(request, position))),
    ...[...level.executingRequests].map((request) => rowOf(request, -1)),
  ];
}

function detailsOf(info: RequestInfo): string[] {
  if (!info.isResource) return [info.verb, info.path, "", "", "", "", ""];
  const { verb, path, namespace, name, resource, subresource } = info;
  return [verb, path, namespace, name, apiVersionOf(info), resource, subresource];
}

const ZERO_TIME = "0001-01-01T00:00:00Z";

/** Formats a time with its significant fraction digits only. */
function formatNanoTime(time: Date): string {
  return time.toISOString().replace(/\.?0{0,3}Z$/, "Z");
}

function formatSeatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(8)}ss`;
}

/** Minimum width of a column. Cells end with a comma and are padded to the widest cell of their column. */
const NARROWEST = 8;

function formatTable(columns: string, rows: readonly (readonly string[])[]): string {
  const table = [columns.split(" "), ...rows];
  const widths = (table[0] ?? []).map((_, column) =>
    table.reduce((width, row) => Math.max(width, (row[column] ?? "").length + 2), NARROWEST),
  );
  const lines = table.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : `${cell},`.padEnd(widths[column] ?? 0))).join(""),
  );
  return `${lines.join("\n")}\n`;
}
