import type { ApiObject } from "../../contract/api-object.ts";
import { apiVersionOf } from "../../contract/group-version.ts";
import type { RequestQuery } from "../../contract/request-info.ts";
import { goQuote } from "../../go/quote.ts";
import { admitMutating, admitValidating } from "../../resource/admit.ts";
import { badRequest } from "../../values/status-errors.ts";
import type { ApiRequest } from "../api-request.ts";
import { booleanParameter } from "../query-options.ts";
import { type WriteContext, writeRequest } from "../write-context.ts";

type Read = (query: RequestQuery, name: string) => unknown;

const flag: Read = (query, name) => booleanParameter(query, name) || undefined;
const text: Read = (query, name) => query.get(name) || undefined;
/** The command is the only parameter that is null if absent. */
const texts: Read = (query, name) => (query.has(name) ? query.getAll(name) : null);

const STREAMS = { stdin: flag, stdout: flag, stderr: flag, tty: flag, container: text };
/** Parsers of the parameters of connections, by kind of the options. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  PodAttachOptions: STREAMS,
  PodExecOptions: { ...STREAMS, command: texts },
  PodPortForwardOptions: { ports: readPorts },
};

/** Runs admission for a connection before its target is checked. Returns the admitted options. */
export async function admitConnection(request: ApiRequest, context: WriteContext): Promise<ApiObject> {
  const { query, info, subresource } = request;
  if (query.has("dryRun")) throw badRequest("dryRun is not supported");
  const options = connectionOptions(request);
  const write = {
    ...writeRequest(request, { dryRun: false, fieldManager: "", options: {} }),
    ...(subresource?.kind && { objectKind: subresource.kind }),
  };
  const connection = { operation: "CONNECT", name: info.name } as const;
  const admitted = (await admitMutating(write, { ...connection, object: options }, context)) ?? options;
  await admitValidating(write, { ...connection, object: admitted }, context);
  return admitted;
}

function connectionOptions({ query, info, subresource }: ApiRequest): ApiObject {
  const { group = "", version = "", kind = "" } = subresource?.kind ?? {};
  const given = Object.entries(PARAMETERS[kind] ?? {}).map(([name, read]) => [name, read(query, name)] as const);
  const path = info.rest.length === 0 ? "" : `/${info.rest.join("/")}`;
  const slash = subresource?.connect?.path && info.path.endsWith("/") && !path.endsWith("/") ? "/" : "";
  return {
    apiVersion: apiVersionOf({ group, version }),
    kind,
    metadata: {},
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(path + slash !== "" && { path: path + slash }),
  };
}

function readPorts(query: RequestQuery, name: string): number[] | undefined {
  if (!query.has(name)) return undefined;
  return query
    .getAll(name)
    .flatMap((list) => list.split(","))
    .map((port) => {
      if (/^\d+$/.test(port)) return Number(port);
      throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(port)}: invalid syntax`);
    });
}
