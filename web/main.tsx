import { render } from 'preact';
import { App } from './app.js';
import { follow } from './state.js';
import { startTheme } from './theme.js';

startTheme();
follow();
const place = document.getElementById('app');
if (place !== null) render(<App />, place);
