import type { Webhook } from '../../api/webhooks.ts'
import type { Column } from '../../parts/table/table-column.ts'
import { count } from '../../text/amount.ts'
import { WebhookState } from './webhook-state.tsx'
import { eventsText, nameOf } from './words.ts'

/** Makes the columns of the list. @param nameOfAccount where there are several @param snug whether the window has no room for all of them */
export function columnsOf(nameOfAccount: ((id: string) => string) | null, snug: boolean): readonly Column<Webhook>[] {
  return [
    {
      key: 'url',
      head: 'Receiver',
      width: 'minmax(180px, 1.6fr)',
      phone: 'main',
      cell: (webhook) => (
        <span class="key-name" title={webhook.url}>
          {nameOf(webhook)}
        </span>
      ),
    },
    ...(nameOfAccount
      ? [
          {
            key: 'account',
            head: 'Account',
            width: 'minmax(90px, 0.6fr)',
            phone: 'rest',
            muted: true,
            cell: ({ account }: Webhook) => (account === undefined ? '' : nameOfAccount(account)),
          } as const,
        ]
      : []),
    ...(snug
      ? []
      : [
          {
            key: 'events',
            head: 'Events',
            width: 'minmax(120px, 1fr)',
            phone: 'rest',
            muted: true,
            cell: ({ events }: Webhook) => <span title={eventsText(events)}>{eventsText(events)}</span>,
          } as const,
        ]),
    { key: 'waiting', head: 'Waiting', width: '80px', align: 'right', phone: 'rest', cell: ({ backlog }) => count(backlog.waiting) },
    { key: 'state', head: 'State', width: '110px', cell: (webhook) => <WebhookState of={webhook} /> },
  ]
}
