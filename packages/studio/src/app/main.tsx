// Starts the panel in its page.

import { createRoot } from 'react-dom/client'
import { Panel } from './panel.tsx'
import { applyTheme } from './preferences.ts'

applyTheme()
createRoot(document.getElementById('studio')!).render(<Panel />)
