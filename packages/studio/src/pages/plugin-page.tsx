// A page that a plugin of somebody else brings. A fault in it does not end the panel.

import { useParams } from '@tanstack/react-router'
import { Component, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { MissingPage } from '../app/missing.tsx'
import { useModel, usePlugins } from '../app/model-context.tsx'
import { usePageTitle } from '../app/page-title.ts'
import { labelOfPage } from '../app/plugins.ts'
import { usePreferences } from '../app/preferences.ts'
import { Notice } from '../ui/notice.tsx'

export function PluginPage() {
  const t = useTranslations('plugins')
  const { plugin, path } = useParams({ from: '/shell/plugins/$plugin/$path' })
  const { language } = usePreferences()
  const { actions } = useModel()
  const page = usePlugins().pages.find(one => one.plugin === plugin && one.path === path)
  usePageTitle(page === undefined ? '' : labelOfPage(page, language))
  if (page === undefined || (page.needs !== undefined && !actions.has(page.needs))) return <MissingPage />
  const Page = page.component
  return (
    <Boundary key={`${plugin} ${path}`} otherwise={<Notice tone="bad">{t('failed', { plugin })}</Notice>}>
      <Page />
    </Boundary>
  )
}

interface BoundaryProps {
  readonly otherwise: ReactNode
  readonly children: ReactNode
}

class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.otherwise : this.props.children
  }
}
