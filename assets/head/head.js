// What all pages have, before Streamlit draws the first one.

import "./settle.js";
import "./section.js";
import "./present.js";
import "./print.js";
