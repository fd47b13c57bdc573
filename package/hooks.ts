/**
 * `typeplane/hooks`: functions for hooks and conversions. `kindHooks` declares the hooks of a kind; the others create field errors and
 * validate values by the rules of Kubernetes.
 */

export { type FieldError, type FieldErrorReason, fieldErrorText } from "../runtime/contract/field-error.ts";
export {
  type Cells,
  type HookContext,
  type KindHooks,
  type KindReader,
  kindHooks,
  type ReadableKind,
  type TableContext,
} from "../runtime/contract/kind-hooks.ts";
export { equalMeaning } from "../runtime/values/equal-meaning.ts";
export {
  collectErrors,
  duplicateField,
  forbiddenField,
  internalErrorField,
  invalidField,
  invalidFields,
  invalidFieldWithoutValue,
  notFoundField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
  unsupportedField,
} from "../runtime/values/field-errors.ts";
export {
  checkCIdentifier,
  checkConfigMapKey,
  checkEnvVarName,
  checkHttpHeaderName,
  checkPercent,
  checkPortName,
  checkPortNumber,
  checkRange,
  checkWildcardSubdomain,
} from "../runtime/values/formats.ts";
export { humanDuration, since } from "../runtime/values/human-duration.ts";
export { checkCidr, checkIp } from "../runtime/values/ip-checks.ts";
export {
  checkDns1035Label,
  checkDnsLabel,
  checkFinalizer,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  checkSubdomain,
  type NameCheck,
} from "../runtime/values/names.ts";
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from "../runtime/values/quantity.ts";
export { labelsText, listText, selectorText } from "../runtime/values/table-text.ts";
export { formatTime, parseTime } from "../runtime/values/times.ts";
