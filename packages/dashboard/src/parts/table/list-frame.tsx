import type { ShownFeed } from '../../state/use-feed.ts'
import { count } from '../../text/amount.ts'
import { Button } from '../form/button.tsx'
import { ErrorState } from '../notice/error-state.tsx'

/** Above a list, what came since: shown when the reader asks for it, so that nothing moves under his eyes. */
export function News({ feed: { fresh, many, show } }: { readonly feed: Pick<ShownFeed<unknown>, 'fresh' | 'many' | 'show'> }) {
  const text = fresh.length === 0 ? '' : `${many ? 'Many' : count(fresh.length)} new`
  return (
    <div class="news" role="status">
      {text === '' ? null : (
        <Button
          kind="primary"
          onClick={() => {
            show()
            document.querySelector('main [role="grid"]')?.scrollTo(0, 0)
          }}
        >
          {text}
        </Button>
      )}
    </div>
  )
}

/** Below a list: why it ends here, and the keys. */
export function ListFoot({ feed }: { readonly feed: Pick<ShownFeed<unknown>, 'rows' | 'failure' | 'reading' | 'older'> }) {
  const { rows, failure, reading, older } = feed
  if (rows.length > 0 && failure) return <ErrorState failure={failure} onRetry={older} />
  if (rows.length === 0) return null
  return (
    <p class="muted small keys-hint">
      <kbd>j</kbd> <kbd>k</kbd> move &nbsp; <kbd>Enter</kbd> open &nbsp; <kbd>/</kbd> search &nbsp; <kbd>?</kbd> all keys
      <span class="reading" role="status">
        {reading ? 'Reading more…' : ''}
      </span>
    </p>
  )
}
