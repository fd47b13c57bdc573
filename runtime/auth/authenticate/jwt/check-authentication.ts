import type { FieldError } from "../../../contract/field-error.ts";
import { goQuote } from "../../../go/quote.ts";
import { Verbatim } from "../../../go/verbatim.ts";
import { duplicateField, invalidField, tooManyField } from "../../../values/field-errors.ts";
import { type CompiledAuthenticator, checkAuthenticator } from "./check-authenticator.ts";
import { createClaimEnvironments } from "./claim-expressions.ts";
import type { AuthenticationConfiguration, JwtAuthenticatorConfiguration } from "./jwt-configuration.ts";

const MAX_AUTHENTICATORS = 64;

export interface CheckedAuthenticator {
  readonly configuration: JwtAuthenticatorConfiguration;
  readonly compiled: CompiledAuthenticator;
}

/** Validates an AuthenticationConfiguration and compiles its expressions. The authenticators may be used only if there are no `problems`. */
export function checkAuthentication(
  { jwt, anonymous }: AuthenticationConfiguration,
  disallowedIssuers: readonly string[],
): { readonly authenticators: readonly CheckedAuthenticator[]; readonly problems: readonly FieldError[] } {
  const configurations = jwt ?? [];
  if (configurations.length > MAX_AUTHENTICATORS)
    return { authenticators: [], problems: [tooManyField("jwt", configurations.length, MAX_AUTHENTICATORS)] };
  const environments = createClaimEnvironments();
  const problems: FieldError[] = [];
  const addresses = { url: new Set<string>(), discoveryURL: new Set<string>() };
  const authenticators = configurations.map((configuration, index) => {
    const field = `jwt[${index}]`;
    const checked = checkAuthenticator(configuration, field, environments, disallowedIssuers);
    problems.push(...checked.problems);
    for (const name of ["url", "discoveryURL"] as const) {
      const address = configuration.issuer[name] ?? "";
      if (addresses[name].has(address)) problems.push(duplicateField(`${field}.issuer.${name}`, address));
      if (name === "url" || address !== "") addresses[name].add(address);
    }
    return { configuration, compiled: checked.compiled };
  });
  const conditions = anonymous?.conditions ?? [];
  if (anonymous?.enabled === false && conditions.length > 0) {
    const shown = conditions.map(({ path }) => `apiserver.AnonymousAuthCondition{Path:${goQuote(path)}}`).join(", ");
    problems.push(
      invalidField(
        "anonymous.conditions",
        new Verbatim(`[]apiserver.AnonymousAuthCondition{${shown}}`),
        "enabled should be set to true when conditions are defined",
      ),
    );
  }
  return { authenticators, problems };
}
