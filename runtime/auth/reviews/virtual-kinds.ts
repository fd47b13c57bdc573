import type { Authorizer, RuleResolver } from "../../contract/authorization.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import type { TypeRef } from "../../contract/type-table.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import type { ServiceAccountConfig } from "../authenticate/authentication-config.ts";
import type { Authentication } from "../authenticate/create-authentication.ts";
import {
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSubjectAccessReview,
} from "./access-review.ts";
import { createSelfSubjectRulesReview } from "./rules-review.ts";
import { createTokenRequest } from "./token-request.ts";
import { createSelfSubjectReview, createTokenReview } from "./user-reviews.ts";

export interface VirtualKindParts {
  readonly naming: Naming;
  readonly authorizer: Authorizer & RuleResolver;
  /** Whether reviews may contain selectors. */
  readonly withSelectors: boolean;
  readonly authentication: Authentication;
  readonly reader: ObjectReader;
  readonly now: () => Date;
  readonly tokens: Pick<ServiceAccountConfig, "maxTokenSeconds" | "extendsTokens">;
}

/** Handlers of kinds that are not stored (reviews, token requests …), by the type of each version. */
export function createVirtualKinds(parts: VirtualKindParts): {
  readonly kinds: ReadonlyMap<TypeRef, VirtualKind>;
  readonly issueToken: VirtualKind;
} {
  const { naming, authorizer, withSelectors, authentication, now } = parts;
  const access = { naming, authorizer, withSelectors };
  const byName: Readonly<Record<string, readonly [module: string, answer: VirtualKind]>> = {
    SubjectAccessReview: ["authorization", createSubjectAccessReview(access)],
    SelfSubjectAccessReview: ["authorization", createSelfSubjectAccessReview(access)],
    LocalSubjectAccessReview: ["authorization", createLocalSubjectAccessReview(access)],
    SelfSubjectRulesReview: ["authorization", createSelfSubjectRulesReview({ rules: authorizer })],
    TokenReview: [
      "authentication",
      createTokenReview({ tokens: authentication.tokens, audiences: authentication.audiences }),
    ],
    SelfSubjectReview: ["authentication", createSelfSubjectReview({ now })],
  };
  const kinds = new Map<TypeRef, VirtualKind>();
  for (const [kind, [module, answer]] of Object.entries(byName)) {
    for (const version of ["v1", "v1beta1", "v1alpha1"]) {
      kinds.set(`${module}/${version}.${kind}`, answer);
    }
  }
  const issueToken = createTokenRequest({
    naming,
    issuer: authentication.issuer,
    reader: parts.reader,
    audiences: authentication.audiences,
    now,
    maximumSeconds: parts.tokens.maxTokenSeconds,
    extend: parts.tokens.extendsTokens,
  });
  return { kinds, issueToken };
}
