import type { CosmosClient } from './client.ts'

/** Makes a client that also records the height of each of its answers, including refusals. */
export function noting(client: CosmosClient, heights: Set<bigint>): CosmosClient {
  return {
    ...client,
    query({ read, refused, ...query }) {
      return client.query({
        ...query,
        read(answer, height) {
          heights.add(height)
          return read(answer, height)
        },
        ...(refused === undefined
          ? {}
          : {
              refused(refusal) {
                heights.add(refusal.height)
                return refused(refusal)
              },
            }),
      })
    },
  }
}
