import { goQuote } from "../../go/quote.ts";

const BY_STATUS: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};
const MAX_SHOWN = 2048;

/** Returns the error message for a response without a success status, from its body if that is a Status. Undefined for success. */
export function unexpectedAnswer(status: number, body: string, contentType: string): string | undefined {
  if (status >= 200 && status <= 206) return undefined;
  const own = statusMessage(body);
  if (own !== undefined) return own;
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  const isText = contentType === "" || contentType.startsWith("text/");
  const shown = (isText && body.trim().slice(0, MAX_SHOWN)) || "unknown";
  if (status === 403) return shown;
  if (status >= 500) return `an error on the server (${goQuote(shown)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

function statusMessage(body: string): string | undefined {
  try {
    const { kind, message } = JSON.parse(body) as Record<string, unknown>;
    return kind === "Status" && typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}
