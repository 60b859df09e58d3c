import { useMemo } from 'preact/hooks'
import type { ApiKey } from '../../api/keys.ts'
import { Button } from '../../parts/form/button.tsx'
import { Empty } from '../../parts/notice/empty.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Table } from '../../parts/table/table.tsx'
import { setQuery } from '../../router/router.ts'
import { narrow, snug, tight } from '../../state/media.ts'
import { count } from '../../text/amount.ts'
import { columnsOf } from './columns.tsx'
import type { Keys } from './use-keys.ts'

/** The list, or why there is none. */
export function KeysList({
  keys: { list, failure, loading, reload },
  found: matches,
  nameOf,
  open,
  onOpen,
  onCreate,
}: {
  readonly keys: Keys
  readonly found: readonly ApiKey[]
  /** Names of accounts, where the list is of several. */
  readonly nameOf: ((id: string) => string) | null
  readonly open: string | null
  readonly onOpen: (ulid: string) => void
  readonly onCreate: () => void
}) {
  const room = narrow.value || !snug.value ? 'all' : tight.value ? 'tight' : 'snug'
  const columns = useMemo(() => columnsOf(nameOf, room), [nameOf === null, room])
  if (!list) return failure && !loading ? <ErrorState failure={failure} onRetry={reload} /> : <Loading lines={6} />
  if (list.keys.length === 0) {
    return (
      <Empty
        title="No keys yet"
        action={
          <Button kind="primary" icon="plus" onClick={onCreate}>
            Create the first key
          </Button>
        }
      >
        A program sends a key as <code>X-API-KEY</code> with each request. Its value is shown once, when it is made.
      </Empty>
    )
  }
  return (
    <>
      {failure ? <StaleNote failure={failure} onRetry={reload} /> : null}
      {list.complete ? null : (
        <Note>
          These are the oldest {count(list.keys.length)} keys.{' '}
          {nameOf
            ? 'To see and search the others, choose one account.'
            : 'The others are told by the API: GET /api/v1/apikeys, with after.'}
        </Note>
      )}
      {matches.length === 0 ? (
        <Empty title="Nothing matches" action={<Button onClick={() => setQuery({ q: null, state: null })}>Clear the filters</Button>}>
          No key is as search and state say.
        </Empty>
      ) : (
        <Table label="Keys" columns={columns} rows={matches} keyOf={({ ulid }) => ulid} open={open} onOpen={({ ulid }) => onOpen(ulid)} />
      )}
      <div class="foot-notes muted small">
        <p>
          A program sends a key as <code>X-API-KEY</code>. Its value is shown once, when it is made. “Last used” is up to a minute late.
        </p>
        <p class="keys-hint">
          <kbd>c</kbd> create &nbsp; <kbd>j</kbd> <kbd>k</kbd> move &nbsp; <kbd>Enter</kbd> open &nbsp; <kbd>/</kbd> search
        </p>
      </div>
    </>
  )
}
