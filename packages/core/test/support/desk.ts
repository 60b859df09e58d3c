/** Desks that cannot be reached, by how. */
export const RpcDown = {
  refused: (async () => {
    throw Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect http://desk.invalid'), { code: 'ECONNREFUSED' }),
    })
  }) as typeof fetch,
  busy: (async () => new Response('slow down at http://desk.invalid', { status: 429, headers: { 'retry-after': '3' } })) as typeof fetch,
  /** Answers never; listens to its signal. */
  silent: ((_url: unknown, init?: RequestInit) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true })
    })) as typeof fetch,
} as const
