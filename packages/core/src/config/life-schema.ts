import { Type } from 'typebox'

/** The life of transactions after their broadcast, and of positions: what is looked at by itself, and how often at most. */
export const LifeSchema = Type.Object(
  {
    follow: Type.Boolean({
      default: true,
      description:
        'Whether this instance follows transactions, positions and the state of validators by itself. Of several instances one at a time does it for a network.',
    }),
    looks_per_minute: Type.Integer({
      minimum: 1,
      default: 600,
      description:
        'Most looks in a minute at the transactions of a network, and as many at its positions; each is one to three upstream calls, but where blocks have to be gone through for want of an index: then up to 60 blocks more.',
    }),
    sweeps_per_day: Type.Integer({
      minimum: 0,
      default: 250,
      description:
        'Most positions of a network that are read in a day although nothing was expected of them: those whose digest is another one, and, of a protocol without digests, each once a day as far as this goes. They are read sixteen at once, which share requests. Besides as many that a search for changes from elsewhere has named and that had not changed.',
    }),
    rereads_per_day: Type.Integer({
      minimum: 0,
      default: 12,
      description:
        'Most positions of a network that are read in a day although their digest is the same: each once in 30 days as far as this goes.',
    }),
    watched_per_account: Type.Integer({ minimum: 0, default: 10_000, description: 'Most wallets that are watched for an account.' }),
    tracked_per_account: Type.Integer({
      minimum: 0,
      default: 10_000,
      description: 'Most transactions of an account that were broadcast elsewhere, are tracked here, and have not ended.',
    }),
  },
  { additionalProperties: false, default: {} },
)
