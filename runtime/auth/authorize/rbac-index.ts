import type { PolicyRule } from "../../contract/authorization.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectChange, ObjectFeed } from "../../contract/object-access.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { type BindingObject, type RoleObject, type RoleRef, type Subject, serviceAccountUser } from "./rbac-objects.ts";

/** A binding that applies to a user, with the matching subject. */
export interface AppliedBinding {
  readonly binding: BindingObject;
  readonly subject: Subject;
}

/** The bindings of one scope (the cluster or a namespace), indexed by subject. */
class BindingsBySubject {
  readonly #byName = new Map<string, BindingObject>();
  readonly #bySubject = new Map<string, Map<string, AppliedBinding>>();

  put(binding: BindingObject): void {
    this.delete(binding);
    const name = binding.metadata.name ?? "";
    this.#byName.set(name, binding);
    for (const subject of binding.subjects ?? []) {
      const key = subjectKey(subject, binding.metadata.namespace ?? "");
      if (key === undefined) continue;
      let entries = this.#bySubject.get(key);
      if (entries === undefined) this.#bySubject.set(key, (entries = new Map()));
      if (!entries.has(name)) entries.set(name, { binding, subject });
    }
  }

  delete(binding: BindingObject): void {
    const name = binding.metadata.name ?? "";
    const known = this.#byName.get(name);
    if (known === undefined) return;
    this.#byName.delete(name);
    for (const subject of known.subjects ?? []) {
      const key = subjectKey(subject, known.metadata.namespace ?? "");
      const entries = key === undefined ? undefined : this.#bySubject.get(key);
      entries?.delete(name);
      if (entries?.size === 0) this.#bySubject.delete(key as string);
    }
  }

  /** Returns each binding once, even if several of its subjects match. */
  *appliedTo(user: UserInfo): Generator<AppliedBinding> {
    const keys = [`user:${user.name}`, ...user.groups.map((group) => `group:${group}`)];
    const seen = new Set<string>();
    for (const key of keys) {
      const entries = this.#bySubject.get(key);
      if (entries === undefined) continue;
      for (const [name, applied] of entries) {
        if (seen.has(name)) continue;
        seen.add(name);
        yield applied;
      }
    }
  }
}

function subjectKey(subject: Subject, bindingNamespace: string): string | undefined {
  if (subject.kind === "User") return `user:${subject.name}`;
  if (subject.kind === "Group") return `group:${subject.name}`;
  if (subject.kind !== "ServiceAccount") return undefined;
  const namespace = subject.namespace || bindingNamespace;
  return namespace === "" ? undefined : `user:${serviceAccountUser(namespace, subject.name)}`;
}

/** Index of roles and bindings: a decision reads only those of the user. */
export class RbacIndex {
  readonly #naming: Naming;
  readonly #clusterRoles = new Map<string, readonly PolicyRule[]>();
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #clusterBindings = new BindingsBySubject();
  readonly #bindings = new Map<string, BindingsBySubject>();

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  /** Loads the index and keeps it up to date until the returned function is called. */
  async follow(feed: ObjectFeed): Promise<() => void> {
    const group = this.#naming.group("rbac.authorization");
    const stops = await Promise.all([
      feed.follow({ group, resource: "clusterroles" }, (change) => this.changeClusterRole(change)),
      feed.follow({ group, resource: "roles" }, (change) => this.changeRole(change)),
      feed.follow({ group, resource: "clusterrolebindings" }, (change) => this.changeClusterRoleBinding(change)),
      feed.follow({ group, resource: "rolebindings" }, (change) => this.changeRoleBinding(change)),
    ]);
    return () => {
      for (const stop of stops) stop();
    };
  }

  changeClusterRole({ type, object }: ObjectChange): void {
    const name = object.metadata.name ?? "";
    if (type === "delete") this.#clusterRoles.delete(name);
    else this.#clusterRoles.set(name, (object as RoleObject).rules ?? []);
  }

  changeRole({ type, object }: ObjectChange): void {
    const key = `${object.metadata.namespace}/${object.metadata.name}`;
    if (type === "delete") this.#roles.delete(key);
    else this.#roles.set(key, (object as RoleObject).rules ?? []);
  }

  changeClusterRoleBinding({ type, object }: ObjectChange): void {
    this.#clusterBindings[type](object as BindingObject);
  }

  changeRoleBinding({ type, object }: ObjectChange): void {
    const namespace = object.metadata.namespace ?? "";
    let bindings = this.#bindings.get(namespace);
    if (bindings === undefined) this.#bindings.set(namespace, (bindings = new BindingsBySubject()));
    bindings[type](object as BindingObject);
  }

  /** Yields ClusterRoleBindings first, then the RoleBindings of the namespace unless it is `""`. */
  *bindingsFor(user: UserInfo, namespace: string): Generator<AppliedBinding> {
    yield* this.#clusterBindings.appliedTo(user);
    if (namespace !== "") yield* this.#bindings.get(namespace)?.appliedTo(user) ?? [];
  }

  /** Returns the rules of a roleRef. Returns an error message if the role does not exist; it names `resource` instead of the role's resource. */
  rulesOf(ref: RoleRef, namespace: string, resource?: string): readonly PolicyRule[] | string {
    const group = this.#naming.group("rbac.authorization");
    if (ref.kind === "ClusterRole")
      return this.#clusterRoles.get(ref.name) ?? `${resource ?? "clusterrole"}.${group} "${ref.name}" not found`;
    if (ref.kind === "Role")
      return this.#roles.get(`${namespace}/${ref.name}`) ?? `${resource ?? "role"}.${group} "${ref.name}" not found`;
    return `unsupported role reference kind: "${ref.kind}"`;
  }
}
