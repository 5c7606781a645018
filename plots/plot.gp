# plot.gp - colours of many methods; plot_lines.gp or plot_shares.gp draws them.
set linetype 19 linecolor '#e69f00' linewidth 2 pointtype 8 pointsize 0.8 dashtype 4
set linetype 20 linecolor '#56b4e9' linewidth 2 pointtype 5 pointsize 0.7 dashtype 4
set linetype 21 linecolor '#000000' linewidth 2 pointtype 4 pointsize 0.7 dashtype 4
set linetype 22 linecolor '#d55e00' linewidth 2 pointtype 6 pointsize 0.7 dashtype 4
set linetype 23 linecolor '#0072b2' linewidth 2 pointtype 7 pointsize 0.7
set linetype 24 linecolor '#888888' linewidth 2 pointtype 9 pointsize 0.8
set linetype 25 linecolor '#0072b2' linewidth 2 pointtype 11 pointsize 0.8 dashtype 4
set linetype 26 linecolor '#888888' linewidth 2 pointtype 13 pointsize 0.8 dashtype 4
shown(k) = SHOWN[nth(k)]
