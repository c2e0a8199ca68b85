// The API tokens of programs. The key of a new one is shown once.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { listTokens, manageTokens, revokeToken, type Token } from '../../api/tokens.ts'
import { useErrorText } from '../../app/error-text.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel } from '../../app/model-context.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty, Notice, Waiting } from '../../ui/notice.tsx'
import tableStyles from '../../ui/table.module.css'
import { toast } from '../../ui/toasts.tsx'
import listStyles from '../list/list.module.css'
import { NewTokenDialog } from './new-token-dialog.tsx'

export function TokensPage() {
  const t = useTranslations('tokens')
  usePageTitle(t('title'))
  const mayManage = useModel().actions.has(manageTokens)
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const { data: tokens, error } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => listTokens(signal),
    enabled: mayManage,
  })
  if (!mayManage) return <MissingPage />
  const refresh = () => void queries.invalidateQueries({ queryKey: ['tokens'] })
  return (
    <div className={listStyles.page}>
      <header className={listStyles.head}>
        <h1>{t('title')}</h1>
        <div className={listStyles.headActions}>
          <Button look="primary" onPress={() => setMaking(true)}>
            <Plus aria-hidden="true" />
            {t('new')}
          </Button>
        </div>
      </header>
      {error !== null && <Notice tone="bad">{errorText(error)}</Notice>}
      {tokens === undefined ? (
        error === null && <Waiting label={t('loading')} />
      ) : tokens.length === 0 ? (
        <div className={listStyles.empty}>
          <Empty title={t('none')}>
            <p>{t('noneText')}</p>
          </Empty>
        </div>
      ) : (
        <TokenTable tokens={tokens} onChanged={refresh} />
      )}
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} onMade={refresh} />}
    </div>
  )
}

interface TableProps {
  readonly tokens: readonly Token[]
  readonly onChanged: () => void
}

function TokenTable({ tokens, onChanged }: TableProps) {
  const t = useTranslations('tokens')
  const format = useFormatter()
  const [revoked, setRevoked] = useState<Token | null>(null)
  const day = (text: string | null, otherwise: string) =>
    text === null ? otherwise : format.dateTime(new Date(text), { dateStyle: 'medium' })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
    <section className={tableStyles.scroll} aria-label={t('title')} tabIndex={0}>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th>{t('name')}</th>
            <th>{t('type')}</th>
            <th>{t('lastUsed')}</th>
            <th>{t('expires')}</th>
            <th className={tableStyles.end}>{t('change')}</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(token => (
            <tr key={token.id}>
              <td>{token.name}</td>
              <td>{t(`types.${token.type}`)}</td>
              <td>{day(token.lastUsedAt, t('never'))}</td>
              <td>{day(token.expiresAt, t('never'))}</td>
              <td className={tableStyles.end}>
                <Button isSmall aria-label={t('revokeNamed', { name: token.name })} onPress={() => setRevoked(token)}>
                  {t('revoke')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoked !== null && <RevokeDialog token={revoked} onClose={() => setRevoked(null)} onRevoked={onChanged} />}
    </section>
  )
}

interface RevokeProps {
  readonly token: Token
  readonly onClose: () => void
  readonly onRevoked: () => void
}

function RevokeDialog({ token, onClose, onRevoked }: RevokeProps) {
  const t = useTranslations('tokens')
  const words = useTranslations('words')
  const errorText = useErrorText()
  const [fault, setFault] = useState<string | null>(null)
  const revoke = async () => {
    try {
      await revokeToken(token.id)
      toast(t('revoked', { name: token.name }))
      onRevoked()
      onClose()
    } catch (error) {
      setFault(errorText(error))
    }
  }
  return (
    <Dialog
      title={t('revokeTitle', { name: token.name })}
      isOpen
      isAlert
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words('cancel')}
          </Button>
          <Button look="danger" onPress={() => void revoke()}>
            {t('revoke')}
          </Button>
        </>
      }
    >
      {fault === null ? <p>{t('revokeText')}</p> : <Notice tone="bad">{fault}</Notice>}
    </Dialog>
  )
}
