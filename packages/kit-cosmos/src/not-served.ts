import { isServiceError } from '@svc/contract'

/** Words of a node that does not serve a query. @see https://github.com/cosmos/cosmos-sdk/blob/main/baseapp/abci.go (handleQueryGRPC, read 2026-11-22) */
const NOT_SERVED = /unknown query path|code = Unimplemented/i

/** Tells whether the application refused a query because it does not serve it. @param log in its words */
export function notServed(log: string): boolean {
  return NOT_SERVED.test(log)
}

/** Waits for a reading, and returns null where no endpoint could tell, for a value on which the rest of the answer does not depend. @returns null: it is not known */
export async function orUnknown<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isServiceError(error) && error.statusCode >= 502) return null
    throw error
  }
}
