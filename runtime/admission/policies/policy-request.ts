import type { AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { Authorizer } from "../../contract/authorization.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import type { ServedVersions } from "../../contract/served-versions.ts";
import { StatusError } from "../../contract/status.ts";
import { notFound } from "../../values/status-errors.ts";
import type { MatchedVersion } from "../matching/match-constraints.ts";
import { isNamespaceItself } from "../matching/request-namespace.ts";
import { RequestAuthorizer } from "./expression-authorizer.ts";
import type { PolicyBindings } from "./policy-activation.ts";
import { namespaceValue, requestValue, versionedObject } from "./request-values.ts";

export interface PolicyRequestParts {
  readonly reader: ObjectReader;
  readonly versions: ServedVersions;
  readonly authorizer: Authorizer;
}

export interface SeenRequest extends PolicyBindings {
  readonly object: ApiObject | null;
  readonly oldObject: ApiObject | null;
  readonly request: object;
}

const NAMESPACES = { group: "", resource: "namespaces" };

/** Variables of one request for the expressions of all policies. Computed on first use and cached. */
export class PolicyRequest {
  readonly #request: AdmissionRequest;
  readonly #parts: PolicyRequestParts;
  readonly #versions = new Map<string, Promise<SeenRequest>>();
  readonly authorizer: RequestAuthorizer;
  #namespace: Promise<object | null> | undefined;

  constructor(
    request: AdmissionRequest,
    parts: PolicyRequestParts,
    authorizer = new RequestAuthorizer(parts.authorizer, request),
  ) {
    this.#request = request;
    this.#parts = parts;
    this.authorizer = authorizer;
  }

  /** Returns the variables for the same request after its object was changed. */
  changed(): PolicyRequest {
    return new PolicyRequest(this.#request, this.#parts, this.authorizer);
  }

  /** Returns all variables of a policy. Throws a StatusError if the namespace of the request does not exist. */
  async bindings(version: MatchedVersion, params: ApiObject | null): Promise<PolicyBindings> {
    this.#namespace ??= this.#readNamespace();
    const [seen, namespaceObject] = await Promise.all([this.seenIn(version), this.#namespace]);
    return { ...seen, namespaceObject, params };
  }

  /** Returns why the objects of the request cannot be converted to a version; undefined if they can. */
  async conversionProblem(version: MatchedVersion): Promise<string | undefined> {
    try {
      await this.seenIn(version);
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error.status.details?.causes?.[0]?.message ?? error.message;
      throw error;
    }
  }

  /** Returns the request and its objects in one version, without namespace and parameters. */
  seenIn(version: MatchedVersion): Promise<SeenRequest> {
    const { group, version: name, resource } = version.resource;
    const key = `${group}/${name}/${resource}`;
    let seen = this.#versions.get(key);
    if (seen === undefined) {
      seen = this.#see(version);
      this.#versions.set(key, seen);
    }
    return seen;
  }

  async #see(version: MatchedVersion): Promise<SeenRequest> {
    const { versions } = this.#parts;
    const request = this.#request;
    const [object, oldObject] = await Promise.all([
      versionedObject(request.object, request, version, versions),
      versionedObject(request.oldObject, request, version, versions),
    ]);
    return { object, oldObject, request: requestValue(request, version), ...this.authorizer.bindings };
  }

  async #readNamespace(): Promise<object | null> {
    const { namespace } = this.#request;
    if (namespace === "" || isNamespaceItself(this.#request)) return null;
    const found = await this.#parts.reader.get(NAMESPACES, "", namespace);
    if (found === undefined) throw notFound(NAMESPACES, namespace);
    return namespaceValue(found);
  }
}
