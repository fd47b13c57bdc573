import { LimitResponseType, PriorityLevelEnablement } from "../../../generated/values/flowcontrol.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { checkRange } from "../../../runtime/values/formats.ts";
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "./priority-level-configuration.ts";

const MAX_QUEUES = 10_000_000;
/** Number of hash bits available for assigning queues to flows. */
const MAX_HASH_BITS = 60;

/** `sharesName` is the name of the shares field in the API version of the request. */
export function validatePriorityLevelSpec(
  name: string,
  spec: PriorityLevelConfigurationSpec,
  sharesName: string,
  path: string,
  errors: FieldError[],
): void {
  const type: string = spec.type ?? "";
  if ((name === "exempt") !== (type === "Exempt")) {
    errors.push(invalidField(`${path}.type`, type, "type must be 'Exempt' if and only if name is 'exempt'"));
  }
  if (type === "Exempt") {
    if (spec.limited !== undefined) {
      errors.push(forbiddenField(`${path}.limited`, "must be nil if the type is not Limited"));
    }
    validateShares(spec.exempt?.nominalConcurrencyShares, `${path}.exempt.nominalConcurrencyShares`, errors);
    validatePercent(spec.exempt?.lendablePercent, `${path}.exempt.lendablePercent`, errors);
  } else if (type === "Limited") {
    if (spec.exempt !== undefined) errors.push(forbiddenField(`${path}.exempt`, "must be nil if the type is Limited"));
    if (spec.limited === undefined) {
      errors.push(requiredField(`${path}.limited`, "must not be empty when type is Limited"));
    } else {
      validateLimited(spec.limited, sharesName, `${path}.limited`, errors);
    }
  } else {
    errors.push(unsupportedField(`${path}.type`, type, PriorityLevelEnablement));
  }
}

function validateLimited(
  limited: LimitedPriorityLevelConfiguration,
  sharesName: string,
  path: string,
  errors: FieldError[],
): void {
  validateShares(limited.nominalConcurrencyShares ?? undefined, `${path}.${sharesName}`, errors);
  validateResponse(limited.limitResponse ?? ({} as LimitResponse), `${path}.limitResponse`, errors);
  validatePercent(limited.lendablePercent, `${path}.lendablePercent`, errors);
  const borrowing = limited.borrowingLimitPercent;
  if (borrowing !== undefined && borrowing < 0) {
    const detail = "if specified, must be a non-negative integer";
    errors.push(invalidField(`${path}.borrowingLimitPercent`, borrowing, detail));
  }
}

function validateResponse({ type, queuing }: LimitResponse, path: string, errors: FieldError[]): void {
  if (type === "Reject") {
    if (queuing === undefined) return;
    errors.push(forbiddenField(`${path}.queuing`, "must be nil if limited.limitResponse.type is not Limited"));
  } else if (type === "Queue") {
    if (queuing === undefined) {
      errors.push(requiredField(`${path}.queuing`, "must not be empty if limited.limitResponse.type is Limited"));
    } else {
      validateQueuing(queuing, `${path}.queuing`, errors);
    }
  } else {
    errors.push(unsupportedField(`${path}.type`, type ?? "", LimitResponseType));
  }
}

function validateQueuing(queuing: QueuingConfiguration, path: string, errors: FieldError[]): void {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  const refuse = (name: string, value: number, detail: string) =>
    errors.push(invalidField(`${path}.${name}`, value, detail));
  if (queueLengthLimit <= 0) refuse("queueLengthLimit", queueLengthLimit, "must be positive");
  if (queues <= 0) refuse("queues", queues, "must be positive");
  else if (queues > MAX_QUEUES) refuse("queues", queues, `must not be greater than ${MAX_QUEUES}`);
  if (handSize <= 0) refuse("handSize", handSize, "must be positive");
  else if (handSize > queues) refuse("handSize", handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * handSize) > MAX_HASH_BITS) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`;
    refuse("handSize", handSize, detail);
  }
}

function validateShares(shares: number | undefined, field: string, errors: FieldError[]): void {
  if (shares !== undefined && shares < 0) {
    errors.push(invalidField(field, shares, "must be a non-negative integer"));
  }
}

function validatePercent(percent: number | undefined, field: string, errors: FieldError[]): void {
  if (percent === undefined) return;
  for (const problem of checkRange(percent, 0, 100)) errors.push(invalidField(field, percent, problem));
}
