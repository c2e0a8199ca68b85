// The look of the site: VitePress' own theme with the fonts of the reader's machine.

/// <reference types="vitepress/client" />

import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
