import { CredentialsError } from "../../contract/authentication.ts";
import { aggregateMessages } from "../../values/aggregate-messages.ts";

/** Combines several errors into one, with all messages and details. */
export function joinRefusals(errors: readonly CredentialsError[]): CredentialsError {
  return new CredentialsError(
    aggregateMessages(errors.map(({ message }) => message)),
    aggregateMessages(errors.map(({ detail }) => detail)),
  );
}

/** Runs `authenticate`. Prepends `source` to the detail of a CredentialsError that it throws. */
export async function withSource<T>(source: string, authenticate: () => Promise<T>): Promise<T> {
  try {
    return await authenticate();
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    throw new CredentialsError(error.message, `${source}: ${error.detail}`);
  }
}
