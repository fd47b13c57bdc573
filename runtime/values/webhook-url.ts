import type { FieldError } from "../contract/field-error.ts";
import { type GoUrl, GoUrlError, parseGoUrl } from "../go/url.ts";
import { invalidField, requiredField } from "./field-errors.ts";

const FORM = "; desired format: https://host[/path]";

/** Validates the URL of a webhook. */
export function checkWebhookUrl(text: string, field: string): FieldError[] {
  let url: GoUrl;
  try {
    url = parseGoUrl(text);
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    return [requiredField(field, `url must be a valid URL: ${error.message}${FORM}`)];
  }
  const errors: FieldError[] = [];
  const refuse = (value: string, detail: string) => errors.push(invalidField(field, value, detail));
  if (url.scheme !== "https") refuse(url.scheme, `'https' is the only allowed URL scheme${FORM}`);
  if (url.host === "") refuse("", `host must be specified${FORM}`);
  if (url.user !== undefined) refuse(url.user, "user information is not permitted in the URL");
  if (url.fragment !== "") refuse(url.fragment, "fragments are not permitted in the URL");
  if (url.query !== "") refuse(url.query, "query parameters are not permitted in the URL");
  return errors;
}
