import { useMemo } from 'preact/hooks'
import type { Protocol, ProtocolNetwork } from '../../api/protocols.ts'
import { Table } from '../../parts/table/table.tsx'
import type { Column } from '../../parts/table/table-column.ts'
import { Amount } from '../../parts/value/amount.tsx'
import { Tag } from '../../parts/value/state.tsx'
import { Time } from '../../parts/value/time.tsx'
import { pathTo } from '../../router/path.ts'
import { navigate } from '../../router/router.ts'
import { networkName } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import { StateWord } from './condition.tsx'
import { KIND_WORDS, worstOf } from './condition-words.ts'
import { minutesText, roundedPercent } from './words.ts'

interface Row {
  readonly protocol: Protocol
  readonly network: ProtocolNetwork
}

/** Digits after the point of what is staked: more are a step away. */
const DIGITS = 2

const toOf = ({ protocol, network }: Row) => pathTo(['protocols', protocol.protocol, network.network])

/** Every network of every protocol, a row each. `at` is when it was read, in milliseconds since 1970. */
export function List({ protocols, at }: { readonly protocols: readonly Protocol[]; readonly at: number }) {
  const rows = useMemo(() => protocols.flatMap((protocol) => protocol.networks.map((network): Row => ({ protocol, network }))), [protocols])
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      {
        key: 'protocol',
        head: 'Protocol',
        width: 'minmax(0, 2fr)',
        phone: 'main',
        cell: ({ protocol }) => <span class="strong">{protocol.title}</span>,
      },
      {
        key: 'network',
        head: 'Network',
        width: 'minmax(0, 1.2fr)',
        muted: true,
        cell: ({ protocol, network }) => networkName([protocol], network.network),
      },
      {
        key: 'apr',
        head: 'Yearly rate, after fees',
        width: 'minmax(0, 1.3fr)',
        align: 'right',
        cell: ({ network: { staking_info: info } }) =>
          info === null ? <Tag kind="warn">Not read yet</Tag> : info.staking_apr === null ? '–' : roundedPercent(info.staking_apr),
      },
      {
        key: 'state',
        head: 'Stakes with',
        width: 'minmax(0, 1.8fr)',
        cell({ network }) {
          const worst = worstOf(network.staked_with)
          if (worst === null) return '–'
          const { kind, id, state } = worst
          return (
            <>
              <span class="muted">
                {KIND_WORDS[kind]} {short(id)}
              </span>{' '}
              <StateWord state={state} />
            </>
          )
        },
      },
      {
        key: 'wait',
        head: 'Unbonded within',
        width: 'minmax(0, 1.2fr)',
        phone: 'rest',
        cell: ({ network: { staking_info: info } }) =>
          info === null || info.stake_deactivation_max_time === null ? '–' : minutesText(info.stake_deactivation_max_time),
      },
      {
        key: 'staked',
        head: 'Staked',
        width: 'minmax(0, 1.6fr)',
        align: 'right',
        phone: 'rest',
        cell: ({ network: { staking_info: info }, protocol: { symbol } }) =>
          info === null || info.tvl_token === null ? (
            '–'
          ) : (
            <Amount value={String(info.tvl_token)} digits={DIGITS} {...(symbol === null ? {} : { unit: symbol })} />
          ),
      },
      {
        key: 'age',
        head: 'Read',
        width: 'minmax(0, 1.1fr)',
        muted: true,
        phone: 'rest',
        cell: ({ network: { staking_info_age_seconds: age } }) =>
          age === null ? '–' : <Time at={new Date(at - age * 1000).toISOString()} relative />,
      },
    ],
    [at],
  )
  return (
    <Table
      label="Protocols"
      columns={columns}
      rows={rows}
      keyOf={({ protocol, network }) => `${protocol.protocol} ${network.network}`}
      onOpen={(row) => navigate(toOf(row))}
    />
  )
}
