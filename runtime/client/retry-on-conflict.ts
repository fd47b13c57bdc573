import { isConflict } from "./api-error.ts";

const ATTEMPTS = 5;

/**
 * Calls a function that reads, changes and updates an object, and calls it again if the object has changed in between. Rejects with the last
 * `ConflictError` after five attempts. Conflicts of server-side apply are not retried: the fields would still belong to other managers.
 */
export async function retryOnConflict<T>(change: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (attempt >= attempts || !isConflict(error) || error.conflicts.length > 0) throw error;
    }
  }
}
