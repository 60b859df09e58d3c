import type { CosmosClient } from './client.ts'

/** The same client, and the heights noted of which its answers are, refusals among them. */
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
