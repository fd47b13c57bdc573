import type { RequestHeaders } from "../../contract/authentication.ts";
import type { Authorizer, ResourceAccess } from "../../contract/authorization.ts";
import type { Naming } from "../../contract/naming.ts";
import { EarlyFailure } from "../../contract/status.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { serviceAccountUser, splitServiceAccount } from "../authorize/rbac-objects.ts";
import { refuseAccess } from "../authorize/refuse-access.ts";
import { decodeExtraKey } from "./extra-key.ts";

const EXTRA_PREFIX = "impersonate-extra-";

/**
 * Returns the impersonated user of a request (`Impersonate-User`, `-Group`, `-Uid` and `-Extra-…` headers); undefined without such headers. Each part
 * requires the verb `impersonate`. Throws the 403 Status for the first part that is not authorized.
 */
export function impersonate(
  requester: UserInfo,
  headers: RequestHeaders,
  parts: { readonly naming: Naming; readonly authorizer: Authorizer },
): Promise<UserInfo> | undefined {
  const wanted = readHeaders(headers, parts.naming);
  return wanted && becomeWanted(requester, wanted, parts);
}

async function becomeWanted(
  requester: UserInfo,
  wanted: Wanted,
  { naming, authorizer }: { readonly naming: Naming; readonly authorizer: Authorizer },
): Promise<UserInfo> {
  for (const access of requiredAccess(requester, wanted, naming)) {
    const { decision, reason } = await authorizer.authorize(access);
    if (decision !== "allow") throw refuseAccess(access, reason);
  }
  return impersonatedUser(wanted);
}

interface Wanted {
  readonly user: string;
  readonly account: { readonly namespace: string; readonly name: string } | undefined;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

function readHeaders(headers: RequestHeaders, naming: Naming): Wanted | undefined {
  const user = headers.header("impersonate-user")[0] ?? "";
  const groups = headers.header("impersonate-group");
  const uid = headers.header("impersonate-uid")[0] ?? "";
  const extra = new Map<string, readonly string[]>();
  for (const name of headers.headerNames()) {
    if (!name.startsWith(EXTRA_PREFIX)) continue;
    // Two headers may have the same key with different escapes.
    const key = decodeExtraKey(name.slice(EXTRA_PREFIX.length));
    extra.set(key, [...(extra.get(key) ?? []), ...headers.header(name)]);
  }
  if (user === "") {
    if (groups.length === 0 && uid === "" && extra.size === 0) return undefined;
    throw new EarlyFailure(`requested ${describe({ groups, uid, extra }, naming)} without impersonating a user`);
  }
  return { user, account: splitServiceAccount(user), groups, uid, extra };
}

function describe({ groups, uid, extra }: Pick<Wanted, "groups" | "uid" | "extra">, naming: Naming): string {
  const own = `${naming.group("authentication")}/v1`;
  const references = [
    ...groups.map((name) => `{Group  ${name}    }`),
    ...[...extra].flatMap(([key, values]) => values.map((value) => `{UserExtra  ${value}  ${own}  ${key}}`)),
    ...(uid === "" ? [] : [`{UID  ${uid}  ${own}  }`]),
  ];
  return `[${references.join(" ")}]`;
}

function* requiredAccess(user: UserInfo, wanted: Wanted, naming: Naming): Generator<ResourceAccess> {
  const base = { user, verb: "impersonate", group: "", version: "", subresource: "", namespace: "" };
  if (wanted.account === undefined) yield { ...base, resource: "users", name: wanted.user };
  else yield { ...base, resource: "serviceaccounts", ...wanted.account };
  for (const name of wanted.groups) yield { ...base, resource: "groups", name };
  const own = { ...base, group: naming.group("authentication"), version: "v1" };
  for (const [subresource, values] of wanted.extra)
    for (const name of values) yield { ...own, resource: "userextras", subresource, name };
  if (wanted.uid !== "") yield { ...own, resource: "uids", name: wanted.uid };
}

function impersonatedUser({ user, account, groups, uid, extra }: Wanted): UserInfo {
  const own = account === undefined ? [] : ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`];
  const all = groups.length === 0 ? own : [...groups];
  if (user === "system:anonymous") {
    if (!all.includes("system:unauthenticated")) all.push("system:unauthenticated");
  } else if (!all.includes("system:authenticated") && !all.includes("system:unauthenticated"))
    all.push("system:authenticated");
  return {
    name: account === undefined ? user : serviceAccountUser(account.namespace, account.name),
    ...(uid !== "" && { uid }),
    groups: all,
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  };
}
